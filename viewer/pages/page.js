// The page: controls, mouse, keys, and labels over the picture.
"use strict";

const MAX_LINKS = 40; // most links on a card, in each direction
const MAX_LABELS = 500; // most labels in space
const SLOW = 120; // milliseconds per frame: a slower drag is drawn at a lower resolution
const AROUND = 160; // units shown around points of interest
const CLICK_SLACK = 4; // a press and release is a click if the pointer moved no farther than this, pixels

const get = (id) => document.getElementById(id);

/** Create an element with text and children. */
function element(tag, className, ...children) {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...children);
  return node;
}

function patch(colour) {
  const node = element("i", "");
  if (colour) node.style.background = `rgb(${colour.join(" ")})`;
  return node;
}

class Page {
  constructor(data) {
    this.data = data;
    this.scene = new Scene(data);
    this.picture = get("picture");
    this.painter = new Painter(this.picture, data);
    this.camera = new Camera(data.angle);
    this.high = data.low.map((value, axis) => value + data.span[axis]);
    this.waiting = false;
    this.drag = { since: 0, coarse: false }; // since: time of the last frame of a drag; 0 without a drag
    get("title").textContent = data.title;
    for (const { name } of data.colourings) get("colour").append(new Option(name, name));
    this.listen();
    this.fitted = null; // what the camera was fitted to, until the user moves it
    new ResizeObserver(() => (this.fitted ? this.fit(this.fitted) : this.redraw())).observe(document.body);
    this.refresh();
    this.firstLook();
  }

  /** Show the current state of the scene. */
  refresh() {
    this.scene.paint(this.painter);
    this.showControls();
    this.showLegend();
    this.showCard();
    get("message").textContent = this.scene.message;
    this.redraw();
  }

  /** Run an operation on the scene and show the result. */
  perform(operation) {
    this.scene.message = "";
    operation();
    this.refresh();
  }

  // --- the picture --------------------------------------------------------------------------------------------------

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const now = performance.now();
    if (this.drag.since && now - this.drag.since > SLOW) this.drag.coarse = true;
    if (this.drag.since) this.drag.since = now;
    for (const [canvas, density] of [[this.picture, this.density()], [get("labels"), window.devicePixelRatio]]) {
      const [width, height] = [Math.round(canvas.clientWidth * density), Math.round(canvas.clientHeight * density)];
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    }
    this.painter.draw(this.view(), this.data.colours.background);
    this.drawLabels();
  }

  /** Pixels of the picture per CSS pixel. */
  density() {
    return window.devicePixelRatio * (this.drag.coarse ? 0.4 : 1);
  }

  /** View parameters for the painter. */
  view() {
    const { right, up, back } = this.camera.axes();
    const lamp = back.map((value, axis) => 0.72 * value + 0.6 * up[axis] + 0.35 * right[axis]);
    const eye = this.camera.eye();
    return {
      matrix: this.camera.matrix(this.aspect(), this.data.low, this.high),
      eye: this.camera.parallel ? eye.map((value, axis) => value + 1e6 * back[axis]) : eye,
      lamp,
      cutLow: this.scene.cutLow,
      cutHigh: this.scene.cutHigh,
      density: this.density(),
    };
  }

  aspect() {
    return this.picture.clientWidth / Math.max(this.picture.clientHeight, 1);
  }

  drawLabels() {
    const canvas = get("labels");
    const pen = canvas.getContext("2d");
    const density = window.devicePixelRatio;
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    const { matrix } = this.view();
    const placed = this.scene.labels().map((label) => ({ ...label, screen: project(matrix, label.at) }));
    const visible = placed.filter(({ screen }) => screen && Math.max(Math.abs(screen[0]), Math.abs(screen[1]), Math.abs(screen[2])) < 1);
    visible.sort((a, b) => (b.always ? 1 : 0) - (a.always ? 1 : 0) || a.screen[2] - b.screen[2]);
    const covered = ["left", "right", "help"].map(get).filter((panel) => !panel.hidden).map((panel) => panel.getBoundingClientRect());
    const taken = [];
    for (const { screen, text, colour } of visible) {
      if (taken.length >= MAX_LABELS) break;
      const wide = pen.measureText(text).width + 6;
      const x = ((1 + screen[0]) / 2) * canvas.clientWidth;
      const y = ((1 - screen[1]) / 2) * canvas.clientHeight;
      if (taken.some((label) => Math.abs(label.x - x) < (label.wide + wide) / 2 && Math.abs(label.y - y) < 16)) continue;
      if (covered.some((box) => x + wide / 2 > box.left && x - wide / 2 < box.right && y + 8 > box.top && y - 8 < box.bottom)) continue;
      taken.push({ x, y, wide });
      pen.fillStyle = `rgb(${this.data.colours.background.join(" ")} / 60%)`;
      pen.fillRect(x - wide / 2, y - 8, wide, 16);
      pen.fillStyle = `rgb(${colour.join(" ")})`;
      pen.fillText(text, x, y + 0.5);
    }
  }

  // --- camera -------------------------------------------------------------------------------------------------------

  firstLook() {
    const { where, azimuth, elevation, zoom, near } = this.data.camera;
    Object.assign(this.camera, { azimuth, elevation });
    const route = this.scene.route ?? [];
    if (where === "top") this.lookFromAbove();
    else if (where === "area" && near) this.fit(corners(this.scene.cutLow, this.scene.cutHigh));
    else if (where === "area") this.lookAt([this.scene.picked]);
    else if (where === "route" && route.length) {
      this.lookAt(route.flatMap(({ link }) => [this.scene.source[link], this.scene.target[link]]));
    } else if (where === "route" && this.scene.start >= 0 && this.scene.goal >= 0) {
      const path = this.scene.miss()?.path ?? [];
      this.lookAround([...path, ...[this.scene.start, this.scene.goal].map((area) => triple(this.data.arrays["area/centre"], area))]);
    } else if (this.data.camera.unreached && this.data.whys.length) this.lookAround(this.data.whys.flatMap(({ points }) => points));
    else this.lookAtAll();
    this.camera.zoom(zoom);
  }

  lookFromCorner() {
    Object.assign(this.camera, { azimuth: 225, elevation: 40, parallel: false });
    this.lookAtAll();
  }

  lookFromAbove() {
    Object.assign(this.camera, { azimuth: 270, elevation: 90, parallel: true });
    this.lookAtAll();
  }

  /** Fit everything in play: items, spawns and ends of links; with a cut or a focus, the areas that are left. */
  lookAtAll() {
    const open = [...this.scene.cutLow, ...this.scene.cutHigh].every((value) => Math.abs(value) >= 1e9);
    const corner = this.data.arrays["frame/corner"];
    if (open && !this.scene.focus) this.fit(Array.from({ length: corner.length / 3 }, (_, row) => triple(corner, row)));
    else this.lookAt(this.scene.inPlay(), 24);
  }

  /** Fit points with their surroundings. */
  lookAround(points) {
    const ends = [least, most].map((end, side) => [0, 1, 2].map((axis) => end(points.map((at) => at[axis])) + (side ? 1 : -1) * AROUND));
    this.fit(corners(...ends));
  }

  /** Show why the picked item or area is not reached, and look at the attempt that comes nearest. */
  askWhy() {
    const why = this.scene.why();
    if (!why) {
      this.perform(() => (this.scene.message = "pick an item or area that is not reached, to see why"));
      return;
    }
    this.perform(() => {
      this.scene.layers.add("unreached");
      this.scene.colour = "reached";
    });
    this.lookAround(why.points);
  }

  /** Fit areas into the picture, with a margin in units; by default, with enough room to see their surroundings. */
  lookAt(areas, margin = null) {
    const { cutLow, cutHigh } = this.scene;
    const points = areas.flatMap((area) => {
      const [low, high] = this.scene.boxOf(area);
      const middle = low.map((value, axis) => (value + high[axis]) / 2);
      const half = low.map((value, axis) => (margin === null ? Math.max((high[axis] - value) / 2, CLOSEST) : (high[axis] - value) / 2 + margin));
      const ends = [-1, 1].map((side) => middle.map((value, axis) => value + side * half[axis]));
      return corners(...ends.map((end) => end.map((value, axis) => Math.min(Math.max(value, cutLow[axis]), cutHigh[axis]))));
    });
    this.fit(points);
  }

  /** Fit points into the part of the picture that the panels leave free. */
  fit(points) {
    const width = this.picture.clientWidth;
    const left = get("left").getBoundingClientRect().right / width;
    const right = get("right").hidden ? 0 : 1 - get("right").getBoundingClientRect().left / width;
    const narrow = left + right > 0.6;
    this.camera.fit(points, this.aspect(), narrow ? 0 : left, narrow ? 0 : right);
    this.fitted = points;
    this.redraw();
  }

  goTo(area) {
    this.perform(() => this.scene.pick(area));
    if (this.scene.picked === area && area >= 0) {
      this.camera.parallel = false;
      this.camera.elevation = Math.min(this.camera.elevation, 60);
      this.lookAt([area]);
    }
  }

  // --- controls -----------------------------------------------------------------------------------------------------

  showControls() {
    const { scene } = this;
    get("colour").value = scene.colour;
    const low = 8 * Math.floor(this.data.low[2] / 8);
    const high = 8 * Math.ceil(this.high[2] / 8);
    const slider = (id, value, open) => {
      Object.assign(get(id), { min: low, max: high, step: 8 });
      get(id).value = Math.min(Math.max(value, low), high);
      get(`${id === "below" ? "below" : "above"}-value`).textContent = value === open ? "all" : Math.round(value);
    };
    slider("below", scene.cutHigh[2], 1e9);
    slider("above-from", scene.cutLow[2], -1e9);
    get("shells").value = scene.shells;
    get("shells-value").textContent = `${Math.round(100 * scene.shells)} %`;
    get("focus").classList.toggle("on", scene.focus);
  }

  showLegend() {
    const { scene, data } = this;
    const sections = [element("h2", "", "layers")];
    const layers = element("div", "layers");
    for (const { name, about, key } of data.layers) {
      const row = this.item(name, null, scene.layers.has(name), () => scene.toggle(scene.layers, name));
      row.dataset.layer = name;
      row.title = `${about} (${key})`;
      layers.append(row);
    }
    sections.push(layers);
    const { title, key } = scene.colouring();
    const kinds = data.areaKinds.map(({ name, colour }, row) => ({ name, colour, count: this.counts()[row] })).filter(({ count }) => count);
    sections.push(element("h2", "", "areas"));
    for (const { name, colour, count } of kinds) {
      const own = scene.colour === "kind" ? colour : null;
      const row = this.item(name, own, !scene.hiddenAreas.has(name), () => scene.toggle(scene.hiddenAreas, name), count);
      row.dataset.area = name;
      sections.push(row);
    }
    if (scene.colour !== "kind") {
      sections.push(element("h2", "", title));
      key.forEach(({ text, colour, count }) => sections.push(this.item(text, colour, true, null, count)));
      if (scene.colour === "change" && data.change.gone) sections.push(this.item("gone", data.colours.lost, true, null, data.change.gone));
    }
    const faces = data.faces.filter(({ layer }) => scene.layers.has(layer));
    if (faces.length) sections.push(element("h2", "", "faces"));
    faces.forEach(({ name, colour }) => sections.push(this.item(name, colour, true, null)));
    if (data.links) sections.push(element("h2", "", "links"), ...this.linkRows());
    if (data.entities.sorts.length) sections.push(element("h2", "", "entities"));
    for (const { name, colour } of data.entities.sorts) {
      const count = data.entities.sort.filter((sort) => sort === name).length;
      const on = scene.layers.has("entities") && !scene.hiddenEntities.has(name);
      const row = this.item(name, colour, on, () => scene.toggle(scene.hiddenEntities, name), count);
      row.dataset.entity = name;
      sections.push(row);
    }
    get("legend").replaceChildren(...sections);
  }

  linkRows() {
    const { scene, data } = this;
    if (scene.colour === "change") {
      const gained = data.arrays["link/gained"].reduce((sum, flag) => sum + flag, 0);
      return [this.item("gained", data.colours.gained, true, null, gained), this.item("lost", data.colours.lost, true, null, data.change.lost)];
    }
    const rows = data.links.kinds.map(({ kind, name, colour, count }) => {
      const row = this.item(name, colour, !scene.hiddenLinks.has(kind), () => scene.toggle(scene.hiddenLinks, kind), count);
      row.dataset.link = name;
      return row;
    });
    const { colour, count } = data.links.byHand;
    return count ? [...rows, this.item("by hand", colour, true, null, count)] : rows;
  }

  counts() {
    const count = this.data.areaKinds.map(() => 0);
    this.data.arrays["area/kind"].forEach((kind) => count[kind]++);
    return count;
  }

  /** Create a row of the legend. With an operation, it is a button. */
  item(text, colour, on, operation, count = -1) {
    const row = element(operation ? "button" : "div", on ? "item" : "item off");
    if (operation || colour) row.append(patch(colour));
    row.append(text);
    if (count >= 0) row.append(element("span", "count", count.toLocaleString("en")));
    if (operation) {
      row.setAttribute("aria-pressed", on);
      row.addEventListener("click", () => this.perform(operation));
    }
    return row;
  }

  showCard() {
    const { scene, data } = this;
    const routed = scene.start >= 0 || scene.goal >= 0;
    get("right").hidden = scene.picked < 0 && scene.pickedEntity < 0 && !routed;
    for (const id of ["start", "goal", "look"]) get(id).disabled = scene.picked < 0;
    get("why").disabled = !scene.why();
    const [name, ...known] = scene.pickedEntity < 0 ? [""] : data.entities.facts[scene.pickedEntity].split("\n");
    get("entity").replaceChildren(...(name ? [element("b", "", name), `\n${known.join("\n")}`] : []));
    const [first, ...facts] = scene.picked < 0 ? [""] : data.facts[scene.picked].split("\n");
    get("facts").replaceChildren(...(first ? [element("b", "", first), `\n${facts.join("\n")}`] : []));
    const links = [];
    if (scene.picked >= 0 && scene.router) {
      links.push(...this.linkList("links out", "to", scene.router.leaving(scene.picked), scene.target));
      links.push(...this.linkList("links in", "from", scene.router.entering(scene.picked), scene.source));
    }
    get("links").replaceChildren(...links);
    get("route").replaceChildren(...this.routeRows());
  }

  linkList(title, word, links, farEnd) {
    const time = this.data.arrays["link/time"];
    const sorted = [...links].sort((a, b) => time[a] - time[b] || a - b);
    const rows = sorted.slice(0, MAX_LINKS).flatMap((link) => {
      const row = this.linkRow(link, word, farEnd[link], time[link]);
      const ride = word === "to" ? (this.data.rides[link] ?? []) : [];
      return [row, ...ride.map((text) => element("span", "ride", text))];
    });
    const more = sorted.length > MAX_LINKS ? [`  … and ${sorted.length - MAX_LINKS} more`] : [];
    return [element("span", "heading", `${title}: ${sorted.length || "none"}`), ...rows, ...more];
  }

  routeRows() {
    const { scene } = this;
    if (!scene.route) {
      const ends = [["start", scene.start], ["goal", scene.goal]].filter(([, area]) => area >= 0);
      const [title, ...lines] = scene.miss()?.lines ?? [""];
      if (title) return [element("span", "heading", title), lines.join("\n")];
      if (ends.length > 1) return [element("span", "heading", `no route from ${scene.start} to ${scene.goal}`)];
      return ends.map(([word, area]) => element("span", "heading", `${word} ${area}`));
    }
    const total = scene.route.length ? scene.route[scene.route.length - 1].arrival : 0;
    const title = `route ${scene.start} to ${scene.goal}: ${(total / 100).toFixed(2)} s, ${scene.route.length} ${scene.route.length === 1 ? "link" : "links"}`;
    const others = scene.others.map((other, number) => {
      const seconds = (other[other.length - 1].arrival / 100).toFixed(2);
      const colour = this.data.colours.alternatives[number % this.data.colours.alternatives.length];
      return this.item(`alternative ${number + 1}: ${seconds} s, ${other.length} ${other.length === 1 ? "link" : "links"}`, colour, true, null);
    });
    return [element("span", "heading", title), ...others, ...scene.route.map(({ link, arrival }) => this.linkRow(link, "to", scene.target[link], arrival))];
  }

  /** Create a row for a link. A click leads to the area at its other end. */
  linkRow(link, word, area, time) {
    const kind = this.data.links.kinds.find(({ kind: type }) => type === this.scene.linkKind[link]);
    const texts = [kind.name, `${word} ${area}`, `${(time / 100).toFixed(2)} s`].map((text) => element("span", "", text));
    const row = element("button", "link", patch(kind.colour), ...texts);
    row.addEventListener("click", () => this.goTo(area));
    return row;
  }

  // --- mouse and keys -----------------------------------------------------------------------------------------------

  listen() {
    const { scene } = this;
    get("colour").addEventListener("change", (event) => this.perform(() => (scene.colour = event.target.value)));
    get("go").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = get("number").value.trim();
      if (/^\d{1,9}$/.test(text)) this.goTo(Number(text));
    });
    const press = { corner: "i", above: "t", keys: "h", start: "s", goal: "e", look: "v", focus: "f", why: "y", clear: "Escape" };
    for (const [id, key] of Object.entries(press)) get(id).addEventListener("click", () => this.press(key));
    get("below").addEventListener("input", (event) => this.cut(1, Number(event.target.value)));
    get("above-from").addEventListener("input", (event) => this.cut(0, Number(event.target.value)));
    get("shells").addEventListener("input", (event) => this.perform(() => (scene.shells = Number(event.target.value))));
    window.addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLInputElement && event.target.type !== "range";
      if (typing && event.key === "Escape") event.target.blur();
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.press(event.key)) event.preventDefault();
    });
    this.listenToMouse();
  }

  /** Cut at a height. At the end of a slider, the cut is open. */
  cut(upper, height) {
    const { scene } = this;
    if (upper) scene.cutHigh[2] = height >= Number(get("below").max) ? 1e9 : height;
    else scene.cutLow[2] = height <= Number(get("above-from").min) ? -1e9 : height;
    this.showControls();
    this.redraw();
  }

  listenToMouse() {
    const canvas = this.picture;
    const down = new Map(); // pointers that are down → their positions
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      if (!down.size) moved = 0;
      down.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!down.size) this.hover(event.clientX, event.clientY);
      if (!down.has(event.pointerId)) return;
      const before = [...down.values()];
      const [x, y] = down.get(event.pointerId);
      const [dx, dy] = [event.clientX - x, event.clientY - y];
      moved += Math.hypot(dx, dy);
      down.set(event.pointerId, [event.clientX, event.clientY]);
      if (down.size > 1) this.pinch(before, [...down.values()]);
      else if (event.shiftKey || event.buttons > 1) this.camera.pan(dx, dy, canvas.clientHeight);
      else if (moved > CLICK_SLACK) this.camera.turn(dx, dy);
      if (moved > CLICK_SLACK) this.drag.since ||= performance.now();
      if (moved > CLICK_SLACK) this.fitted = null;
      this.redraw();
    });
    canvas.addEventListener("pointerup", (event) => {
      down.delete(event.pointerId);
      this.drag = { since: 0, coarse: false };
      this.redraw();
      if (moved <= CLICK_SLACK && event.button === 0 && !down.size) this.click(event.clientX, event.clientY);
    });
    canvas.addEventListener("pointercancel", (event) => {
      down.delete(event.pointerId);
      this.drag = { since: 0, coarse: false };
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.fitted = null;
      this.camera.zoom(Math.exp(-0.0015 * Math.max(Math.min(event.deltaY, 200), -200)));
      this.redraw();
    }, { passive: false });
  }

  /** Handle two fingers: zoom and pan. */
  pinch(before, after) {
    const wide = ([a, b]) => Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1);
    const middle = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    this.camera.zoom(wide(after) / wide(before));
    const [from, to] = [middle(before), middle(after)];
    this.camera.pan(to[0] - from[0], to[1] - from[1], this.picture.clientHeight);
  }

  click(x, y) {
    const { kind, row } = this.painter.thingAt(...this.pixel(x, y), this.view());
    this.perform(() => (kind === "entity" ? this.scene.pickEntity(row) : this.scene.pick(row)));
  }

  /** Coordinates of a pixel of the picture. */
  pixel(x, y) {
    return [Math.floor(x * this.density()), Math.floor(y * this.density())];
  }

  /** Name the entity under the pointer. */
  hover(x, y) {
    const { row } = this.painter.entityAt(...this.pixel(x, y), this.view());
    if (row === this.scene.hovered) return;
    this.scene.hovered = row;
    this.picture.style.cursor = row < 0 ? "" : "pointer";
    this.redraw();
  }

  /** Handle a key. Return whether it has a meaning. */
  press(key) {
    const { scene, data } = this;
    const layer = data.layers.find((layer) => layer.key === key);
    if (layer) this.perform(() => scene.toggle(scene.layers, layer.name));
    else if (KEYS[key]) KEYS[key][1](this);
    return Boolean(layer || KEYS[key]);
  }

  nextColouring(by) {
    const names = this.data.colourings.map(({ name }) => name);
    const next = (names.indexOf(this.scene.colour) + by + names.length) % names.length;
    this.perform(() => (this.scene.colour = names[next]));
  }

  moveCut(upper, by) {
    const { scene } = this;
    const open = upper ? this.high[2] : this.data.low[2];
    const now = upper ? scene.cutHigh[2] : scene.cutLow[2];
    this.cut(upper, Math.round((Math.abs(now) < 1e9 ? now : open) + by));
  }

  help() {
    const layers = this.data.layers.map(({ name, key }) => `  ${key.padEnd(5)}${name}`);
    const keys = Object.entries(KEYS).filter(([, [about]]) => about).map(([key, [about]]) => `  ${(KEY_LABELS[key] ?? key).padEnd(5)}${about}`);
    const left = ["mouse", "  click  pick an area or entity", "  drag   rotate; with shift: pan", "  wheel  zoom", "", "layers on and off", ...layers];
    const right = ["keys", ...keys];
    const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, row) => `${(left[row] ?? "").padEnd(36)}${right[row] ?? ""}`);
    get("help").textContent = lines.join("\n");
    get("help").hidden = !get("help").hidden;
    document.body.classList.toggle("helping", !get("help").hidden);
    this.redraw();
  }
}

const KEYS = {
  c: ["next area colouring", (page) => page.nextColouring(1)],
  C: ["previous area colouring", (page) => page.nextColouring(-1)],
  a: ["air areas on or off", (page) => page.perform(() => page.scene.toggle(page.scene.hiddenAreas, "air"))],
  w: ["walk links on or off", (page) => page.perform(() => page.scene.toggle(page.scene.hiddenLinks, page.data.walk))],
  "[": ["lower the top of the cut", (page) => page.moveCut(1, -32)],
  "]": ["raise the top of the cut", (page) => page.moveCut(1, 32)],
  "{": ["lower the bottom of the cut", (page) => page.moveCut(0, -32)],
  "}": ["raise the bottom of the cut", (page) => page.moveCut(0, 32)],
  b: ["cut to a box around the picked area", (page) => page.perform(() => page.scene.toggleBox())],
  g: ["go to an area by number", () => get("number").select()],
  v: ["look at the picked area", (page) => page.goTo(page.scene.picked)],
  s: ["start the route at the picked area", (page) => page.perform(() => page.scene.setEnds(page.scene.picked, page.scene.goal))],
  e: ["end the route at the picked area", (page) => page.perform(() => page.scene.setEnds(page.scene.start, page.scene.picked))],
  k: ["alternatives to the route on or off", (page) => page.perform(() => page.scene.toggleAlternatives())],
  y: ["why it is not reached", (page) => page.askWhy()],
  f: ["only the picked area and the route", (page) => page.perform(() => (page.scene.focus = !page.scene.focus))],
  o: ["shells more opaque", (page) => page.perform(() => page.scene.fade(0.1))],
  O: ["shells less opaque", (page) => page.perform(() => page.scene.fade(-0.1))],
  t: ["view from above", (page) => page.lookFromAbove()],
  i: ["view from a corner", (page) => page.lookFromCorner()],
  Escape: ["clear pick, route and cut", (page) => page.perform(() => page.scene.clear())],
  h: ["this list", (page) => page.help()],
  "?": ["", (page) => page.help()],
};

const KEY_LABELS = { Escape: "Esc" };

unpack(get("data").textContent)
  .then((data) => {
    window.aas = new Page(data);
  })
  .catch((error) => {
    get("title").textContent = document.title;
    get("message").textContent = `The picture cannot be drawn: ${error.message}.`;
  });
