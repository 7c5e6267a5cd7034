// State of the view, and every operation on it.
"use strict";

const BOX_MARGIN = 128; // units that the box around the picked area leaves on every side
const PICKED_HEADS = 1.6; // scale of the arrow heads of the picked area's links
const ROUTE_HEADS = 2; // and of the route

class Scene {
  constructor(data) {
    this.data = data;
    const { arrays, state } = data;
    this.number = data.facts.length;
    this.layers = new Set(state.layers);
    this.colour = state.colour;
    this.hiddenAreas = new Set(state.hiddenAreas);
    this.hiddenLinks = new Set(state.hiddenLinks);
    this.hiddenEntities = new Set(state.hiddenEntities);
    this.cutLow = state.cut[0].map((value) => value ?? -1e9);
    this.cutHigh = state.cut[1].map((value) => value ?? 1e9);
    this.focus = state.focus;
    this.shells = state.shells;
    this.picked = state.picked;
    this.pickedEntity = state.pickedEntity; // row of the entities
    this.hovered = -1; // row of the entity under the pointer
    this.start = -1;
    this.goal = -1;
    this.route = null;
    this.alternatives = state.alternatives;
    this.others = [];
    this.message = "";
    this.linkKind = arrays["link/kind"] ?? new Uint8Array(0);
    this.source = arrays["link/source"] ?? new Int32Array(0);
    this.target = arrays["link/target"] ?? new Int32Array(0);
    this.router = data.links ? new Router(data) : null;
    this.shellCells = grouped(data.parts.get("areas").item, this.number);
    const lines = data.parts.get("links");
    this.lineOfLink = lines ? grouped(lines.item, this.source.length) : () => [];
    const heads = data.parts.get("links heads");
    this.headsOfLink = heads ? grouped(heads.item, this.source.length) : () => [];
    this.linkColours = this.coloursOfLinks();
    this.setEnds(state.start, state.goal);
  }

  // --- operations ---------------------------------------------------------------------------------------------------

  toggle(set, member) {
    if (!set.delete(member)) set.add(member);
  }

  pick(area) {
    if (!(area >= -1 && area < this.number)) {
      this.message = `there is no area ${area}: areas are numbered 0 to ${this.number - 1}`;
      return false;
    }
    this.picked = area;
    this.pickedEntity = -1;
    return true;
  }

  /** Pick an entity, and the area that it lies in. */
  pickEntity(row) {
    this.pick(this.data.arrays["entity/area"][row]);
    this.pickedEntity = row;
  }

  /** The explanation why the picked entity or area is not reached; undefined if it is. */
  why() {
    const { whys } = this.data;
    if (this.pickedEntity >= 0) return whys.find(({ marks }) => marks.includes(this.pickedEntity));
    return this.picked < 0 ? undefined : whys.find(({ areas }) => areas.includes(this.picked));
  }

  /** Why there is no route, if that is known: for the ends that the page opened with. */
  miss() {
    const { miss } = this.data;
    return miss && miss.start === this.start && miss.goal === this.goal ? miss : null;
  }

  /** Areas that links lead to from one area; backwards, areas from which links lead to it. */
  island(area, backwards) {
    const found = new Set([area]);
    for (const at of found) {
      const links = backwards ? this.router.entering(at) : this.router.leaving(at);
      links.forEach((link) => found.add(backwards ? this.source[link] : this.target[link]));
    }
    return found;
  }

  setEnds(start, goal) {
    this.start = start;
    this.goal = goal;
    this.route = null;
    this.others = [];
    if (start < 0 || goal < 0) return;
    if (!this.router) this.message = "the file has no links, as they were not computed";
    else {
      this.route = this.router.route(start, goal);
      if (this.route?.length && this.alternatives) this.others = this.router.alternatives(start, goal, this.route, this.alternatives);
      if (!this.route) this.message = `no route leads from area ${start} to area ${goal}`;
    }
  }

  /** Show or hide alternatives to the route. */
  toggleAlternatives() {
    this.alternatives = this.alternatives ? 0 : this.data.alternatives;
    this.setEnds(this.start, this.goal);
  }

  uncut() {
    this.cutLow = [-1e9, -1e9, -1e9];
    this.cutHigh = [1e9, 1e9, 1e9];
  }

  /** Cut to a box around the picked area, or remove the cut. */
  toggleBox() {
    const open = [...this.cutLow, ...this.cutHigh].every((value) => Math.abs(value) >= 1e9);
    this.uncut();
    if (!open || this.picked < 0) return;
    const [low, high] = this.boxOf(this.picked);
    this.cutLow = low.map((value) => value - BOX_MARGIN);
    this.cutHigh = high.map((value) => value + BOX_MARGIN);
  }

  /** Make the shells more or less opaque. */
  fade(by) {
    this.shells = Math.min(Math.max(this.shells + by, 0), 1);
  }

  clear() {
    this.picked = -1;
    this.pickedEntity = -1;
    this.focus = false;
    this.uncut();
    this.setEnds(-1, -1);
  }

  // --- derived from the state ---------------------------------------------------------------------------------------

  /** The colouring and its colours. Those by time and by sight depend on goal and picked area: they are computed here. */
  colouring() {
    const found = this.data.colourings.find(({ name }) => name === this.colour);
    if (this.colour === "sight" && this.picked >= 0 && this.data.arrays["sight/start"]) return this.bySight();
    if (this.colour === "sight") return { ...found, colours: new Uint8Array(3 * this.number).fill(120) };
    if (this.colour !== "time") return { ...found, colours: this.data.arrays[`colouring/${this.colour}`] };
    if (this.goal < 0 || !this.router) return { ...found, colours: new Uint8Array(3 * this.number).fill(120) };
    return this.byTime();
  }

  byTime() {
    const times = this.router.timesTo(this.goal);
    const text = (time) => (time / 100).toFixed(1);
    return { name: "time", title: "seconds to the goal", ...this.graded(times, text, "no route") };
  }

  bySight() {
    const { arrays } = this.data;
    const shares = new Float64Array(this.number).fill(Infinity);
    for (let row = arrays["sight/start"][this.picked]; row < arrays["sight/start"][this.picked + 1]; row++) {
      shares[arrays["sight/area"][row]] = arrays["sight/share"][row] / 255;
    }
    const text = (share) => `${Math.round(100 * share)}%`;
    return { name: "sight", title: "seen from the picked area", ...this.graded(shares, text, "not seen") };
  }

  /** Colours along the ramp and their key; areas without a finite value are grey. */
  graded(values, text, missingText) {
    const grey = [84, 90, 100];
    const largest = most([...values].filter(Number.isFinite)) || 1;
    const colours = new Uint8Array(3 * this.number);
    values.forEach((value, area) => colours.set(Number.isFinite(value) ? this.ramp(value / largest) : grey, 3 * area));
    const key = [0, 1, 2, 3, 4, 5].map((step) => ({ text: text((largest * step) / 5), colour: this.ramp(step / 5), count: -1 }));
    const missing = values.filter((value) => !Number.isFinite(value)).length;
    if (missing) key.push({ text: missingText, colour: grey, count: missing });
    return { key, colours };
  }

  ramp(share) {
    const table = this.data.ramp;
    const at = Math.min(Math.max(share, 0), 1) * (table.length - 1);
    const row = Math.min(Math.floor(at), table.length - 2);
    return table[row].map((value, part) => Math.floor(value + (at - row) * (table[row + 1][part] - value)));
  }

  coloursOfLinks() {
    const table = new Map((this.data.links?.kinds ?? []).map(({ kind, colour }) => [kind, colour]));
    const colours = new Uint8Array(3 * this.linkKind.length);
    const byHand = this.data.arrays["link/by_hand"];
    this.linkKind.forEach((kind, link) => colours.set(byHand[link] ? this.data.links.byHand.colour : table.get(kind), 3 * link));
    return colours;
  }

  /** Areas that a link connects with the picked area, in either direction. */
  neighbours() {
    const found = new Set();
    this.pickedLinks().forEach((link) => found.add(this.source[link]).add(this.target[link]));
    found.delete(this.picked);
    return found;
  }

  pickedLinks() {
    if (this.picked < 0 || !this.router) return [];
    return [...new Set([...this.router.leaving(this.picked), ...this.router.entering(this.picked)])];
  }

  /** The picked area, its neighbours, and the areas on the route. */
  inFocus() {
    const found = this.neighbours();
    (this.route ?? []).forEach(({ link }) => found.add(this.source[link]).add(this.target[link]));
    return new Set([...found, this.picked, this.start, this.goal].filter((area) => area >= 0));
  }

  shownAreas() {
    if (this.focus) return this.inFocus();
    const names = this.data.areaKinds.map(({ name }) => !this.hiddenAreas.has(name));
    const kind = this.data.arrays["area/kind"];
    const shown = new Set();
    for (let area = 0; area < this.number; area++) if (names[kind[area]]) shown.add(area);
    return shown;
  }

  shownLinks() {
    const gained = this.colour === "change" ? this.data.arrays["link/gained"] : null;
    const near = this.focus ? new Set([...this.pickedLinks(), ...(this.route ?? []).map(({ link }) => link)]) : null;
    const bundled = this.data.arrays["link/bundled"];
    const shown = new Set();
    this.linkKind.forEach((kind, link) => {
      const quiet = this.focus && this.data.quiet.includes(kind);
      const hidden = this.hiddenLinks.has(kind) && !quiet && !this.data.arrays["link/by_hand"][link];
      if (!near && !bundled[link]) return;
      if (!hidden && (!gained || gained[link]) && (!near || near.has(link))) shown.add(link);
    });
    return shown;
  }

  /** Shown areas with links; without any, all shown areas; without any, all areas. */
  inPlay() {
    const shown = this.shownAreas();
    const used = new Set([...shown].filter((area) => this.data.arrays["area/played"][area]));
    return [...(used.size ? used : shown.size ? shown : Array(this.number).keys())];
  }

  boxOf(area) {
    const { arrays } = this.data;
    return [triple(arrays["area/mins"], area), triple(arrays["area/maxs"], area)];
  }

  // --- drawing ------------------------------------------------------------------------------------------------------

  /** Pass everything that is shown to the painter. */
  paint(painter) {
    painter.begin();
    const areas = this.shownAreas();
    const links = this.shownLinks();
    const tables = { area: this.colouring().colours, link: this.linkColours };
    if (this.colour === "change") tables.link = filled(this.linkKind.length, this.data.colours.gained);
    const { sort } = this.data.entities;
    const entities = new Set([...sort.keys()].filter((row) => !this.hiddenEntities.has(sort[row])));
    const filters = { area: areas, link: links, entity: entities, focus: this.focus ? areas : null };
    for (const part of this.data.parts.values()) {
      if (!this.layers.has(part.layer)) continue;
      const shown = filters[part.filter] ?? null;
      const cells = [];
      part.item.forEach((item, cell) => (!shown || shown.has(item)) && cells.push(cell));
      const table = tables[part.colours];
      const colours = table ? (cell) => [table, part.item[cell]] : (cell) => [part.colour, cell];
      this.paintPart(painter, part, cells, colours);
    }
    this.paintPicked(painter);
    this.paintRoute(painter);
  }

  paintPart(painter, part, cells, colours) {
    const style = part.name === "areas" ? { ...part.style, opacity: this.shells } : part.style;
    if (part.lines) {
      painter.lines(part, ...segmentsOf(part, cells, colours), style);
      return;
    }
    painter.faces(part, cells, style, { colours });
    if (!part.edges) return;
    const edges = part.name === "areas" ? { ...part.edges, opacity: Math.min(2.5 * this.shells, 1) } : part.edges;
    if (edges.width > 1) painter.lines(part, ...sidesOf(part, cells, colours), edges);
    else painter.thinEdges(part, cells, edges);
  }

  /** Draw highlighted areas. */
  paintAreas(painter, areas, colour, opacity, edges) {
    const mesh = this.data.parts.get("areas");
    const cells = areas.flatMap((area) => [...this.shellCells(area)]);
    const style = { ...mesh.style, opacity, picks: "area" };
    painter.faces(mesh, cells, style, { tint: colour });
    const sides = sidesOf(mesh, cells, () => [colour, 0]);
    painter.lines(mesh, ...sides, { ...mesh.edges, ...edges });
    if (edges.opacity >= 1) painter.lines(mesh, ...sides, { ...mesh.edges, ...edges, opacity: 0.3, through: true });
  }

  /** Draw highlighted links with arrow heads. */
  paintLinks(painter, links, width, head) {
    const lines = this.data.parts.get("links");
    if (!lines) return;
    const cells = links.flatMap((link) => [...this.lineOfLink(link)]);
    painter.lines(lines, ...segmentsOf(lines, cells, (cell) => [this.linkColours, lines.item[cell]]), { ...lines.style, width });
    this.paintHeads(painter, links, (link) => [this.linkColours, link], head);
  }

  paintHeads(painter, links, colours, factor) {
    const heads = this.data.parts.get("links heads");
    const larger = enlarged(heads, links.flatMap((link) => [...this.headsOfLink(link)]), factor);
    painter.faces(larger, [...larger.item.keys()], heads.style, { colours: (cell) => colours(larger.item[cell]) });
  }

  paintPicked(painter) {
    const { lit, picked } = this.data.colours;
    const marks = this.data.parts.get("entities");
    if (this.pickedEntity >= 0 && marks) {
      const cells = [...marks.item.keys()].filter((cell) => marks.item[cell] === this.pickedEntity);
      painter.lines(marks, ...sidesOf(marks, cells, () => [picked, 0]), { ...marks.style, width: 3 });
    }
    if (this.picked < 0) return;
    this.paintAreas(painter, [...this.neighbours()], lit, 0.1, { opacity: 0.5, width: 1.2 });
    this.paintAreas(painter, [this.picked], picked, 0.45, { opacity: 1, width: 3 });
    const hidden = (kind) => this.hiddenLinks.has(kind) && !this.data.quiet.includes(kind);
    const own = this.pickedLinks().filter((link) => !hidden(this.linkKind[link]));
    this.paintLinks(painter, own, 4, PICKED_HEADS);
  }

  paintRoute(painter) {
    const { start, goal, route } = this.data.colours;
    if (this.start >= 0) this.paintAreas(painter, [this.start], start, 0.45, { opacity: 1, width: 3 });
    if (this.goal >= 0) this.paintAreas(painter, [this.goal], goal, 0.45, { opacity: 1, width: 3 });
    if (this.start >= 0 && this.goal >= 0 && !this.route && this.router) this.paintMiss(painter);
    if (!this.route?.length) return;
    const style = { ...this.data.parts.get("links").style, width: 6 };
    this.others.forEach((other, number) => {
      const colour = this.data.colours.alternatives[number % this.data.colours.alternatives.length];
      const path = this.pathOf(other.map(({ link }) => link));
      painter.lines(path, ...segmentsOf(path, [0], () => [colour, 0]), { ...style, width: 4 });
    });
    const path = this.pathOf(this.route.map(({ link }) => link));
    painter.lines(path, ...segmentsOf(path, [0], () => [route, 0]), style);
    this.paintHeads(painter, this.route.map(({ link }) => link), () => [route, 0], ROUTE_HEADS);
  }

  /** Without a route: outline what players reach from the start and what leads to the goal, and draw the nearest attempt. */
  paintMiss(painter) {
    const { start, goal, missed } = this.data.colours;
    const ground = this.data.parts.get("ground");
    for (const [area, backwards, colour] of [[this.start, false, start], [this.goal, true, goal]]) {
      const island = this.island(area, backwards);
      const cells = ground ? [...ground.item.keys()].filter((cell) => island.has(ground.item[cell])) : [];
      painter.lines(ground, ...sidesOf(ground, cells, () => [colour, 0]), { ...ground?.style, opacity: 0.7, width: 1.2 });
    }
    const path = this.miss()?.path ?? [];
    if (!path.length) return;
    const { low, span } = this.data;
    const xyz = path.flatMap((point) => point.map((value, axis) => (65535 * (value - low[axis])) / span[axis]));
    const dashes = { start: Array.from({ length: path.length / 2 + 1 }, (_, dash) => 2 * dash), xyz };
    const cells = [...Array(path.length / 2).keys()];
    painter.lines(dashes, ...segmentsOf(dashes, cells, () => [missed, 0]), { ...this.data.parts.get("links").style, width: 4 });
  }

  /** A point below the centre of an area, at most `height` above the area's bottom. */
  lowIn(area, height) {
    const [x, y, z] = triple(this.data.arrays["area/centre"], area);
    return [x, y, Math.min(z, this.data.arrays["area/mins"][3 * area + 2] + height)];
  }

  /** The route as a polyline: from the bottom of the start area, below its centre, along the line or arc of each link. */
  pathOf(links) {
    const { low, span, parts, arrays } = this.data;
    const lines = parts.get("links");
    const steps = (point) => point.map((value, axis) => (65535 * (value - low[axis])) / span[axis]);
    const end = (name, link) => steps(triple(arrays[name], link).map((value, axis) => (axis === 2 ? value + 4 : value)));
    const xyz = steps(this.lowIn(this.start, 4));
    for (const link of links) {
      const [cell] = this.lineOfLink(link);
      const between = lines.xyz.subarray(3 * lines.start[cell] + 3, 3 * lines.start[cell + 1] - 3);
      xyz.push(...end("link/start", link), ...between, ...end("link/end", link));
    }
    return { start: [0, xyz.length / 3], xyz, item: [0] };
  }

  /** Text in space: position, text and colour of each label. */
  labels() {
    const { arrays, colours, entities } = this.data;
    const found = [];
    const inside = (point) => point.every((value, axis) => value >= this.cutLow[axis] && value <= this.cutHigh[axis]);
    const ends = [["", this.picked, colours.picked], ["start ", this.start, colours.start], ["goal ", this.goal, colours.goal]];
    for (const [prefix, area, colour] of ends) {
      if (area >= 0) found.push({ at: this.lowIn(area, 24), text: prefix + area, colour, always: true });
    }
    const named = [[this.pickedEntity, colours.picked], [this.hovered, colours.lit]];
    for (const [row, colour] of named) {
      if (row < 0 || (row === this.pickedEntity && colour === colours.lit)) continue;
      const [x, y, z] = triple(arrays["entity/origin"], row);
      found.push({ at: [x, y, z + 44], text: entities.title[row], colour, always: true });
    }
    const miss = this.miss();
    if (miss?.path.length) found.push({ at: miss.path[miss.path.length >> 1], text: miss.text, colour: colours.missed, always: true });
    if (this.layers.has("unreached")) found.push(...this.data.unreached);
    if (this.layers.has("volumes")) found.push(...this.data.volumes);
    if (this.layers.has("names")) {
      const table = new Map(entities.sorts.map(({ name, colour }) => [name, colour]));
      entities.name.forEach((text, row) => {
        if (this.hiddenEntities.has(entities.sort[row])) return;
        const [x, y, z] = triple(arrays["entity/origin"], row);
        found.push({ at: [x, y, z + 44], text, colour: table.get(entities.sort[row]) });
      });
    }
    if (this.layers.has("numbers")) {
      for (const area of this.shownAreas()) found.push({ at: this.lowIn(area, 24), text: `${area}`, colour: colours.text });
    }
    return found.filter(({ at, always }) => always || inside(at));
  }
}

function filled(number, colour) {
  const table = new Uint8Array(3 * number);
  for (let row = 0; row < number; row++) table.set(colour, 3 * row);
  return table;
}

/** Segments of polyline cells, and a colour for each. */
function segmentsOf(mesh, cells, colours) {
  return collected(cells, colours, function* (cell) {
    for (let corner = mesh.start[cell]; corner + 1 < mesh.start[cell + 1]; corner++) yield [corner, corner + 1];
  });
}

/** Sides of polygon cells, and a colour for each. */
function sidesOf(mesh, cells, colours) {
  return collected(cells, colours, function* (cell) {
    const last = mesh.start[cell + 1] - 1;
    for (let corner = mesh.start[cell]; corner <= last; corner++) yield [corner, corner === last ? mesh.start[cell] : corner + 1];
  });
}

function collected(cells, colours, pairs) {
  const segments = [];
  const paints = [];
  for (const cell of cells) {
    const [table, row] = colours(cell);
    for (const pair of pairs(cell)) {
      segments.push(...pair);
      paints.push(table[3 * row], table[3 * row + 1], table[3 * row + 2]);
    }
  }
  return [segments, paints];
}

/** Enlarged copies of some arrow head triangles, whose first corner is the tip. */
function enlarged(heads, cells, factor) {
  const xyz = new Float64Array(9 * cells.length);
  cells.forEach((cell, row) => {
    const tip = triple(heads.xyz, heads.start[cell]);
    for (let corner = 0; corner < 3; corner++) {
      const at = triple(heads.xyz, heads.start[cell] + corner);
      at.forEach((value, axis) => {
        xyz[9 * row + 3 * corner + axis] = Math.min(Math.max(tip[axis] + factor * (value - tip[axis]), 0), 65535);
      });
    }
  });
  const start = Uint32Array.from({ length: cells.length + 1 }, (_, row) => 3 * row);
  return { start, xyz, item: Int32Array.from(cells, (cell) => heads.item[cell]), temporary: true };
}
