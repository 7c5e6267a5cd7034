// Draws with WebGL 2: flat-shaded faces, lines of any width and, for picking, faces in colours that encode their items.
"use strict";

const ENTITY = 1 << 23; // added to the codes of entities, to tell them from areas

const FACE_VERTEX = `#version 300 es
uniform mat4 view;
uniform vec3 low, span;
uniform vec4 tint;
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 colour;
out vec3 at;
flat out vec3 shade;
void main() {
  at = low + span * place;
  shade = tint.a > 0.0 ? tint.rgb : colour.rgb;
  gl_Position = view * vec4(at, 1.0);
}`;

const FACE_PAINT = `#version 300 es
precision highp float;
uniform vec3 cutLow, cutHigh, eye, lamp;
uniform float opacity, ambient;
uniform bool lit;
in vec3 at;
flat in vec3 shade;
out vec4 paint;
void main() {
  if (any(lessThan(at, cutLow)) || any(greaterThan(at, cutHigh))) discard;
  float light = 1.0;
  if (lit) {
    vec3 toEye = normalize(eye - at);
    vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
    if (dot(normal, toEye) < 0.0) normal = -normal;
    light = ambient + 0.75 * (0.62 * max(dot(normal, lamp), 0.0) + 0.38 * dot(normal, toEye));
  }
  paint = vec4(min(shade * light, vec3(1.0)), opacity);
}`;

const LINE_VERTEX = `#version 300 es
uniform mat4 view;
uniform vec3 low, span;
uniform vec2 size;
uniform float width;
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 colour;
out vec3 at;
flat out vec3 shade;
void main() {
  const float NEAR = 1.0;
  vec3 p = low + span * from, q = low + span * to;
  vec4 a = view * vec4(p, 1.0), b = view * vec4(q, 1.0);
  if (a.w < NEAR && b.w > NEAR) { float t = (NEAR - a.w) / (b.w - a.w); a = mix(a, b, t); p = mix(p, q, t); }
  if (b.w < NEAR && a.w > NEAR) { float t = (NEAR - b.w) / (a.w - b.w); b = mix(b, a, t); q = mix(q, p, t); }
  vec2 along = (b.xy / b.w - a.xy / a.w) * size;
  along = length(along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
  bool end = (gl_VertexID & 2) != 0;
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  at = end ? q : p;
  shade = colour.rgb;
  gl_Position = end ? b : a;
  gl_Position.xy += side * width * vec2(-along.y, along.x) / size * gl_Position.w;
  gl_Position.z -= 1e-5 * gl_Position.w;
}`;

class Painter {
  constructor(canvas, data) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
    if (!gl) throw new Error("this browser does not support WebGL 2");
    this.gl = gl;
    this.canvas = canvas;
    this.low = data.low;
    this.span = data.span;
    this.faceProgram = programOf(gl, FACE_VERTEX, FACE_PAINT);
    this.lineProgram = programOf(gl, LINE_VERTEX, FACE_PAINT);
    this.uploads = new Map(); // mesh → its buffers
    this.drawn = []; // entries to draw, in order
    this.target = null; // framebuffer for picking
  }

  /** Start an empty list of entries; `faces`, `thinEdges` and `lines` fill it. */
  begin() {
    for (const entry of this.drawn) {
      this.gl.deleteBuffer(entry.buffer);
      if (entry.temporary) this.release(entry.temporary);
      if (entry.shape === "lines") {
        this.gl.deleteBuffer(entry.corners);
        this.gl.deleteVertexArray(entry.array);
      }
    }
    this.drawn = [];
  }

  /** Add cells of a mesh as polygons. `colours(cell)` is a [table, row]; `tint` is a single colour for all cells. */
  faces(mesh, cells, style, { colours = null, tint = null } = {}) {
    if (!cells.length) return;
    const own = this.uploaded(mesh);
    let number = 0;
    for (const cell of cells) number += mesh.start[cell + 1] - mesh.start[cell] - 2;
    const index = new Uint32Array(3 * number);
    let at = 0;
    for (const cell of cells) {
      const first = mesh.start[cell];
      for (let corner = first + 1; corner + 1 < mesh.start[cell + 1]; corner++) {
        index[at++] = first;
        index[at++] = corner;
        index[at++] = corner + 1;
      }
    }
    if (colours) this.recolour(mesh, own, cells, colours);
    const temporary = mesh.temporary ? mesh : null;
    this.drawn.push({ shape: "faces", own, style, tint, buffer: this.indices(own, index), count: index.length, temporary });
  }

  /** Add the edges of polygons as lines a pixel wide, in the colours of the polygons. */
  thinEdges(mesh, cells, style, tint = null) {
    if (!cells.length) return;
    const own = this.uploaded(mesh);
    let number = 0;
    for (const cell of cells) number += mesh.start[cell + 1] - mesh.start[cell];
    const index = new Uint32Array(2 * number);
    let at = 0;
    for (const cell of cells) {
      const first = mesh.start[cell];
      const last = mesh.start[cell + 1] - 1;
      for (let corner = first; corner <= last; corner++) {
        index[at++] = corner;
        index[at++] = corner === last ? first : corner + 1;
      }
    }
    this.drawn.push({ shape: "edges", own, style, tint, buffer: this.indices(own, index), count: index.length });
  }

  /** Add line segments between corners of the mesh. `segments` lists pairs of corners, `colours` a triple for each. */
  lines(mesh, segments, colours, style) {
    const gl = this.gl;
    const number = segments.length / 2;
    if (!number) return;
    const bytes = new ArrayBuffer(80 * number); // four corners for each segment; each stores both ends
    const places = new Uint16Array(bytes);
    const paints = new Uint8Array(bytes);
    const index = new Uint32Array(6 * number);
    for (let row = 0; row < number; row++) {
      for (let corner = 4 * row; corner < 4 * row + 4; corner++) {
        for (let axis = 0; axis < 3; axis++) {
          places[10 * corner + axis] = mesh.xyz[3 * segments[2 * row] + axis];
          places[10 * corner + 4 + axis] = mesh.xyz[3 * segments[2 * row + 1] + axis];
          paints[20 * corner + 16 + axis] = colours[3 * row + axis];
        }
      }
      index.set([4 * row, 4 * row + 1, 4 * row + 2, 4 * row + 2, 4 * row + 1, 4 * row + 3], 6 * row);
    }
    const array = gl.createVertexArray();
    const [buffer, corners] = [gl.createBuffer(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
    [[0, 3, gl.UNSIGNED_SHORT, 0], [1, 3, gl.UNSIGNED_SHORT, 8], [2, 4, gl.UNSIGNED_BYTE, 16]].forEach(([place, size, kind, offset]) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, kind, true, 20, offset);
    });
    gl.bindVertexArray(null);
    this.drawn.push({ shape: "lines", array, style, buffer, corners, count: index.length });
  }

  /** Buffers of a mesh on the GPU: corners, colours and items. */
  uploaded(mesh) {
    const cached = this.uploads.get(mesh);
    if (cached) return cached;
    const gl = this.gl;
    const number = mesh.xyz.length / 3;
    const places = new Uint16Array(4 * number);
    for (let row = 0; row < number; row++) {
      for (let axis = 0; axis < 3; axis++) places[4 * row + axis] = mesh.xyz[3 * row + axis];
    }
    const items = new Uint8Array(4 * number);
    for (let cell = 0; cell < mesh.item.length; cell++) {
      const code = mesh.item[cell] + 1 + (mesh.style?.picks === "entity" ? ENTITY : 0); // 0: no item
      for (let row = mesh.start[cell]; row < mesh.start[cell + 1]; row++) {
        for (let part = 0; part < 3; part++) items[4 * row + part] = (code >> (8 * part)) & 255;
      }
    }
    const own = { paint: new Uint8Array(4 * number), paints: gl.createBuffer(), places: gl.createBuffer(), items: gl.createBuffer() };
    gl.bindBuffer(gl.ARRAY_BUFFER, own.places);
    gl.bufferData(gl.ARRAY_BUFFER, places, gl.STATIC_DRAW);
    own.array = this.facesArray(own.places, own.paints, own.paint);
    own.picking = this.facesArray(own.places, own.items, items);
    this.uploads.set(mesh, own);
    return own;
  }

  /** Free the GPU buffers of a mesh. */
  release(mesh) {
    const own = this.uploads.get(mesh);
    if (!own) return;
    for (const buffer of [own.paints, own.places, own.items]) this.gl.deleteBuffer(buffer);
    for (const array of [own.array, own.picking]) this.gl.deleteVertexArray(array);
    this.uploads.delete(mesh);
  }

  facesArray(places, paints, paint) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, places);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.UNSIGNED_SHORT, true, 8, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, paints);
    gl.bufferData(gl.ARRAY_BUFFER, paint, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 4, 0);
    gl.bindVertexArray(null);
    return array;
  }

  recolour(mesh, own, cells, colours) {
    const gl = this.gl;
    for (const cell of cells) {
      const [table, row] = colours(cell);
      for (let corner = mesh.start[cell]; corner < mesh.start[cell + 1]; corner++) {
        for (let part = 0; part < 3; part++) own.paint[4 * corner + part] = table[3 * row + part];
      }
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, own.paints);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, own.paint);
  }

  indices(own, index) {
    const gl = this.gl;
    const buffer = gl.createBuffer();
    gl.bindVertexArray(own.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return buffer;
  }

  /** Draw all entries: first the opaque ones, then the translucent ones, each in order. */
  draw(view, background) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(background[0] / 255, background[1] / 255, background[2] / 255, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const opaque = (entry) => entry.style.opacity >= 1;
    gl.disable(gl.BLEND);
    this.drawn.filter(opaque).forEach((entry) => this.drawEntry(entry, view, false));
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.drawn.filter((entry) => !opaque(entry) && entry.style.opacity > 0).forEach((entry) => this.drawEntry(entry, view, false));
    gl.depthMask(true);
    gl.bindVertexArray(null);
  }

  drawEntry(entry, view, picking, blank = false) {
    const gl = this.gl;
    const wide = entry.shape === "lines";
    const program = wide ? this.lineProgram : this.faceProgram;
    const set = program.uniforms;
    gl.useProgram(program.handle);
    gl.uniformMatrix4fv(set.view, false, view.matrix);
    gl.uniform3fv(set.low, this.low);
    gl.uniform3fv(set.span, this.span);
    gl.uniform3fv(set.cutLow, view.cutLow);
    gl.uniform3fv(set.cutHigh, view.cutHigh);
    gl.uniform3fv(set.eye, view.eye);
    gl.uniform3fv(set.lamp, view.lamp);
    gl.uniform1f(set.opacity, picking ? 1 : entry.style.opacity);
    gl.uniform1f(set.ambient, entry.style.ambient);
    gl.uniform1i(set.lit, !picking && entry.shape === "faces" && entry.style.lit ? 1 : 0);
    if (entry.style.one_sided) gl.enable(gl.CULL_FACE);
    else gl.disable(gl.CULL_FACE);
    gl.depthFunc(entry.style.through ? gl.ALWAYS : gl.LEQUAL);
    if (wide) {
      gl.disable(gl.CULL_FACE);
      gl.uniform2f(set.size, this.canvas.width, this.canvas.height);
      gl.uniform1f(set.width, entry.style.width * view.density);
      gl.bindVertexArray(entry.array);
      gl.drawElements(gl.TRIANGLES, entry.count, gl.UNSIGNED_INT, 0);
      return;
    }
    const tint = (picking && !blank) || !entry.tint ? [0, 0, 0, 0] : [...entry.tint.map((part) => part / 255), 1];
    gl.uniform4fv(set.tint, tint);
    gl.bindVertexArray(picking ? entry.own.picking : entry.own.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, entry.buffer);
    gl.drawElements(entry.shape === "edges" ? gl.LINES : gl.TRIANGLES, entry.count, gl.UNSIGNED_INT, 0);
  }

  /** What is nearest at a pixel, counted from the upper left corner of the canvas: { kind: "area", "entity" or "", row }.
   * An entity that no floor hides comes before the shells of areas around it. */
  thingAt(x, y, view) {
    const entity = this.entityAt(x, y, view);
    return entity.row < 0 ? this.hit(x, y, view, ({ picks }) => picks === "area") : entity;
  }

  entityAt(x, y, view) {
    return this.hit(x, y, view, ({ picks }) => picks === "entity", ({ opacity, lit }) => lit && opacity >= 0.9);
  }

  /** What the nearest of the faces with some styles shows at a pixel, behind nothing that hides it. */
  hit(x, y, view, chosen, hiding = () => false) {
    const gl = this.gl;
    this.prepareTarget();
    const row = this.canvas.height - 1 - y;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target.frame);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, row, 1, 1);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    for (const entry of this.drawn.filter(({ shape }) => shape === "faces")) {
      if (chosen(entry.style)) this.drawEntry(entry, view, true);
      else if (hiding(entry.style)) this.drawEntry({ ...entry, tint: [0, 0, 0] }, view, true, true);
    }
    const found = new Uint8Array(4);
    gl.readPixels(x, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const code = found[0] + (found[1] << 8) + (found[2] << 16);
    if (!code) return { kind: "", row: -1 };
    return code >= ENTITY ? { kind: "entity", row: code - ENTITY - 1 } : { kind: "area", row: code - 1 };
  }

  /** Create an off-screen framebuffer of the canvas's size. */
  prepareTarget() {
    const gl = this.gl;
    const { width, height } = this.canvas;
    if (this.target && this.target.width === width && this.target.height === height) return;
    if (this.target) {
      gl.deleteFramebuffer(this.target.frame);
      this.target.stores.forEach((store) => gl.deleteRenderbuffer(store));
    }
    const frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    const stores = [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]].map(([kind, place]) => {
      const store = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, store);
      gl.renderbufferStorage(gl.RENDERBUFFER, kind, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, store);
      return store;
    });
    this.target = { frame, stores, width, height };
  }
}

function programOf(gl, vertex, paint) {
  const handle = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, paint]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(handle, shader);
  }
  gl.linkProgram(handle);
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS)) throw new Error(`a shader failed to link: ${gl.getProgramInfoLog(handle)}`);
  const uniforms = {};
  for (let row = 0; row < gl.getProgramParameter(handle, gl.ACTIVE_UNIFORMS); row++) {
    const { name } = gl.getActiveUniform(handle, row);
    uniforms[name] = gl.getUniformLocation(handle, name);
  }
  return { handle, uniforms };
}
