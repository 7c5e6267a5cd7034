// The camera: looks at a target from a direction and a distance. Matrices are column-major, as in WebGL.
"use strict";

const MARGIN = 1.08; // factor by which the visible range exceeds the points to fit
const CLOSEST = 96; // units shown on each side of an area's middle, at least

class Camera {
  constructor(angle) {
    this.tall = Math.tan((angle * Math.PI) / 360); // half the visible height at distance 1
    this.target = [0, 0, 0];
    this.azimuth = 225;
    this.elevation = 40;
    this.distance = 1000;
    this.parallel = false;
    this.shift = 0; // offset of the target from the middle of the picture, as a share of half its width
  }

  /** Unit vectors to the right, up, and back towards the camera. */
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

  /** Matrix from world to clip space. The box from `low` to `high` around everything sets the near and far planes. */
  matrix(aspect, low, high) {
    const { right, up, back } = this.axes();
    const eye = this.eye();
    const dot = (axis, point) => axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
    const depths = corners(low, high).map((corner) => dot(back, eye) - dot(back, corner));
    const far = Math.max(most(depths), 2) + 64;
    const near = this.parallel ? least(depths) - 64 : Math.max(least(depths) - 64, this.distance / 200, 2);
    const y = 1 / this.tall;
    const x = y / aspect;
    const rows = [];
    const depth = back.map((value) => -value); // its dot product with a point: depth in front of the camera
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

  /** Move as close as all points fit between margins `left` and `right` (shares of the picture's width). */
  fit(points, aspect, left, right) {
    this.shift = left - right;
    const tall = this.tall / MARGIN;
    const wide = tall * aspect * Math.max(1 - left - right, 0.2);
    const { right: across, up, back } = this.axes();
    const low = [0, 1, 2].map((axis) => least(points.map((point) => point[axis])));
    const high = [0, 1, 2].map((axis) => most(points.map((point) => point[axis])));
    let target = low.map((value, axis) => (value + high[axis]) / 2);
    const along = (axis, point) => axis.reduce((sum, value, i) => sum + value * (point[i] - target[i]), 0);
    for (let round = 0; round < 8; round++) { // near points take more room, so the target is not the middle of the box
      const local = points.map((point) => [along(across, point), along(up, point), along(back, point)]);
      const perspective = this.parallel ? 0 : 1;
      this.distance = most(local.map(([u, v, w]) => perspective * w + Math.max(Math.abs(u) / wide, Math.abs(v) / tall)));
      const depths = local.map(([, , w]) => (this.parallel ? this.distance : Math.max(this.distance - w, 1)));
      const us = local.map(([u], row) => u / depths[row]);
      const vs = local.map(([, v], row) => v / depths[row]);
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

  /** Pan by pixels, in a picture of this height. */
  pan(dx, dy, height) {
    const { right, up } = this.axes();
    const unit = (2 * this.tall * this.distance) / height;
    this.target = this.target.map((value, axis) => value - unit * (dx * right[axis] - dy * up[axis]));
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance / factor, 16), 1e6);
  }
}

/** Smallest value; infinite if there is none. Unlike Math.min(...values), it takes any number of them. */
function least(values) {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function most(values) {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

/** Corners of a box. */
function corners(low, high) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((row) => [0, 1, 2].map((axis) => ((row >> axis) & 1 ? high[axis] : low[axis])));
}

/** Position of a world point in the picture and its depth, each from −1 to 1; null if it is behind the camera. */
function project(matrix, point) {
  const at = [0, 1, 2, 3].map((row) => matrix[row] * point[0] + matrix[4 + row] * point[1] + matrix[8 + row] * point[2] + matrix[12 + row]);
  return at[3] <= 0 ? null : [at[0] / at[3], at[1] / at[3], at[2] / at[3]];
}
