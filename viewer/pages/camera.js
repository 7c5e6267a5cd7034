// Where one looks from: round a target, at a distance, from a direction. Matrices are in columns, as WebGL has them.
"use strict";

const MARGIN = 1.08; // how much more than what is to be seen fits into the picture
const CLOSEST = 96; // units that are seen to each side of an area, at least

class Camera {
  constructor(angle) {
    this.tall = Math.tan((angle * Math.PI) / 360); // half the height of what is seen at a distance of 1
    this.target = [0, 0, 0];
    this.azimuth = 225;
    this.elevation = 40;
    this.distance = 1000;
    this.parallel = false;
    this.shift = 0; // by how much of half the width the target is right of the middle
  }

  /** Right, up and back, of length 1. */
  axes() {
    const a = (this.azimuth * Math.PI) / 180;
    const e = (this.elevation * Math.PI) / 180;
    const back = [Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)];
    const right = [-Math.sin(a), Math.cos(a), 0];
    const up = [-Math.cos(a) * Math.sin(e), -Math.sin(a) * Math.sin(e), Math.cos(e)];
    return { right, up, back };
  }

  eye() {
    const { back } = this.axes();
    return this.target.map((value, axis) => value + this.distance * back[axis]);
  }

  /** From the world to what WebGL draws; `low`, `high`: the box round everything, which gives near and far. */
  matrix(aspect, low, high) {
    const { right, up, back } = this.axes();
    const eye = this.eye();
    const dot = (axis, point) => axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
    const deep = corners(low, high).map((corner) => dot(back, eye) - dot(back, corner));
    const far = Math.max(most(deep), 2) + 64;
    const near = this.parallel ? least(deep) - 64 : Math.max(least(deep) - 64, this.distance / 200, 2);
    const y = 1 / this.tall;
    const x = y / aspect;
    const rows = [];
    const depth = back.map((value) => -value); // times a point: how far in front
    const shifted = depth.map((value) => this.shift * value);
    if (this.parallel) {
      const scale = 1 / this.distance;
      rows.push([...right.map((value) => x * scale * value), -x * scale * dot(right, eye) + this.shift]);
      rows.push([...up.map((value) => y * scale * value), -y * scale * dot(up, eye)]);
      const z = 2 / (far - near);
      rows.push([...depth.map((value) => z * value), z * dot(back, eye) - (far + near) / (far - near)]);
      rows.push([0, 0, 0, 1]);
    } else {
      rows.push([...right.map((value, axis) => x * value + shifted[axis]), -x * dot(right, eye) + this.shift * dot(back, eye)]);
      rows.push([...up.map((value) => y * value), -y * dot(up, eye)]);
      const z = (far + near) / (far - near);
      rows.push([...depth.map((value) => z * value), z * dot(back, eye) - (2 * far * near) / (far - near)]);
      rows.push([...depth, dot(back, eye)]);
    }
    const columns = new Float32Array(16);
    rows.forEach((row, i) => row.forEach((value, j) => (columns[4 * j + i] = value)));
    return columns;
  }

  /** As near as all points fit into the part of the picture between `left` and `right` (shares of its width). */
  fit(points, aspect, left, right) {
    this.shift = left - right;
    const tall = this.tall / MARGIN;
    const wide = tall * aspect * Math.max(1 - left - right, 0.2);
    const { right: across, up, back } = this.axes();
    const low = [0, 1, 2].map((axis) => least(points.map((point) => point[axis])));
    const high = [0, 1, 2].map((axis) => most(points.map((point) => point[axis])));
    let target = low.map((value, axis) => (value + high[axis]) / 2);
    const along = (axis, point) => axis.reduce((sum, value, i) => sum + value * (point[i] - target[i]), 0);
    for (let round = 0; round < 8; round++) { // what is near takes more room, so the middle is not that of the box
      const seen = points.map((point) => [along(across, point), along(up, point), along(back, point)]);
      const deepness = this.parallel ? 0 : 1;
      this.distance = most(seen.map(([u, v, w]) => deepness * w + Math.max(Math.abs(u) / wide, Math.abs(v) / tall)));
      const depths = seen.map(([, , w]) => (this.parallel ? this.distance : Math.max(this.distance - w, 1)));
      const us = seen.map(([u], row) => u / depths[row]);
      const vs = seen.map(([, v], row) => v / depths[row]);
      const sideways = (this.distance * (most(us) + least(us))) / 2;
      const upwards = (this.distance * (most(vs) + least(vs))) / 2;
      target = target.map((value, i) => value + sideways * across[i] + upwards * up[i]);
    }
    this.target = target;
  }

  turn(dx, dy) {
    if (this.parallel) this.parallel = false;
    this.azimuth -= 0.35 * dx;
    this.elevation = Math.min(Math.max(this.elevation + 0.35 * dy, -89), 89);
  }

  /** Move sideways by pixels of a picture `height` high. */
  move(dx, dy, height) {
    const { right, up } = this.axes();
    const unit = (2 * this.tall * this.distance) / height;
    this.target = this.target.map((value, axis) => value - unit * (dx * right[axis] - dy * up[axis]));
  }

  nearer(factor) {
    this.distance = Math.min(Math.max(this.distance / factor, 16), 1e6);
  }
}

function least(values) {
  return values.reduce((one, other) => Math.min(one, other), Infinity);
}

function most(values) {
  return values.reduce((one, other) => Math.max(one, other), -Infinity);
}

/** The corners of a box. */
function corners(low, high) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((row) => [0, 1, 2].map((axis) => ((row >> axis) & 1 ? high[axis] : low[axis])));
}

/** Where a point of the world is in the picture, in shares of −1 to 1, and how deep; null: behind the viewer. */
function seenAt(matrix, point) {
  const at = [0, 1, 2, 3].map((row) => matrix[row] * point[0] + matrix[4 + row] * point[1] + matrix[8 + row] * point[2] + matrix[12 + row]);
  return at[3] <= 0 ? null : [at[0] / at[3], at[1] / at[3], at[2] / at[3]];
}
