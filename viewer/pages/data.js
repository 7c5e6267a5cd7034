// Unpacks the data of the page: the length of the header, the header as JSON, then arrays.
"use strict";

const ARRAYS = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f4: Float32Array };

/** Return the header, with `arrays` as typed arrays and `parts` as a map by name. */
async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  writer.write(packed);
  writer.close();
  const bytes = await new Response(stream.readable).arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  for (const [name, [kind, offset, size]] of Object.entries(header.arrays)) {
    header.arrays[name] = new ARRAYS[kind](bytes, 4 + length + offset, size);
  }
  for (const part of header.parts) {
    Object.assign(part, meshOf(header.arrays, part.name));
  }
  header.parts = new Map(header.parts.map((part) => [part.name, part]));
  return header;
}

/** Arrays of a mesh, with the first corner of each cell in `start`. */
function meshOf(arrays, name) {
  const size = arrays[`${name}/size`];
  const start = new Uint32Array(size.length + 1);
  for (let cell = 0; cell < size.length; cell++) start[cell + 1] = start[cell] + size[cell];
  return { start, xyz: arrays[`${name}/xyz`], item: arrays[`${name}/item`], colour: arrays[`${name}/colour`] };
}

/** Row `row` of an array of triples. */
function triple(array, row) {
  return [array[3 * row], array[3 * row + 1], array[3 * row + 2]];
}

/** Distance between two points. */
function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
