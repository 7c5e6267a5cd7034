// The page: controls, mouse, keys, and words over the picture.
"use strict";

const MOST_LINKS = 40; // lines for links on a card, each way
const MOST_WORDS = 500; // in space
const SLOW = 120; // milliseconds from frame to frame: if a drag is slower, it is drawn coarsely
const STILL = 4; // pixels: a button that was moved no farther while it was down was a click

const get = (id) => document.getElementById(id);

/** An element with text and children. */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

function patch(colour) {
  const made = element("i", "");
  if (colour) made.style.background = `rgb(${colour.join(" ")})`;
  return made;
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
    this.drag = { since: 0, coarse: false }; // since: when the last frame of a drag was drawn; 0: there is no drag
    get("title").textContent = data.title;
    for (const { name } of data.colourings) get("colour").append(new Option(name, name));
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(document.body);
    this.refresh();
    this.firstLook();
  }

  /** Show what the scene now is. */
  refresh() {
    this.scene.paint(this.painter);
    this.showControls();
    this.showLegend();
    this.showCard();
    get("message").textContent = this.scene.message;
    this.redraw();
  }

  /** Do something to the scene and show it. */
  done(operation) {
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
    for (const [canvas, density] of [[this.picture, this.density()], [get("words"), window.devicePixelRatio]]) {
      const [width, height] = [Math.round(canvas.clientWidth * density), Math.round(canvas.clientHeight * density)];
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    }
    this.painter.draw(this.seen(), this.data.colours.ground);
    this.drawWords();
  }

  /** Pixels of the picture for each of the page. */
  density() {
    return window.devicePixelRatio * (this.drag.coarse ? 0.4 : 1);
  }

  /** What the painter must know of where one looks from. */
  seen() {
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

  drawWords() {
    const canvas = get("words");
    const pen = canvas.getContext("2d");
    const density = window.devicePixelRatio;
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    const { matrix } = this.seen();
    const placed = this.scene.words().map((one) => ({ ...one, seen: seenAt(matrix, one.at) }));
    const visible = placed.filter(({ seen }) => seen && Math.max(Math.abs(seen[0]), Math.abs(seen[1]), Math.abs(seen[2])) < 1);
    visible.sort((one, other) => (other.always ? 1 : 0) - (one.always ? 1 : 0) || one.seen[2] - other.seen[2]);
    const taken = [];
    for (const { seen, text, colour } of visible) {
      if (taken.length >= MOST_WORDS) break;
      const wide = pen.measureText(text).width + 6;
      const x = ((1 + seen[0]) / 2) * canvas.clientWidth;
      const y = ((1 - seen[1]) / 2) * canvas.clientHeight;
      if (taken.some((other) => Math.abs(other.x - x) < (other.wide + wide) / 2 && Math.abs(other.y - y) < 16)) continue;
      taken.push({ x, y, wide });
      pen.fillStyle = `rgb(${this.data.colours.ground.join(" ")} / 60%)`;
      pen.fillRect(x - wide / 2, y - 8, wide, 16);
      pen.fillStyle = `rgb(${colour.join(" ")})`;
      pen.fillText(text, x, y + 0.5);
    }
  }

  // --- where one looks from -----------------------------------------------------------------------------------------

  firstLook() {
    const { where, azimuth, elevation, zoom, near } = this.data.camera;
    Object.assign(this.camera, { azimuth, elevation });
    const route = this.scene.route ?? [];
    if (where === "top") this.lookFromAbove();
    else if (where === "area" && near) this.fit(corners(this.scene.cutLow, this.scene.cutHigh));
    else if (where === "area") this.lookAt([this.scene.picked]);
    else if (where === "route" && route.length) {
      this.lookAt(route.flatMap(({ link }) => [this.scene.source[link], this.scene.target[link]]));
    } else this.lookAt(this.scene.inPlay(), 24);
    this.camera.nearer(zoom);
  }

  lookFromCorner() {
    Object.assign(this.camera, { azimuth: 225, elevation: 40, parallel: false });
    this.lookAt(this.scene.inPlay(), 24);
  }

  lookFromAbove() {
    Object.assign(this.camera, { azimuth: 270, elevation: 90, parallel: true });
    this.lookAt(this.scene.inPlay(), 24);
  }

  /** Fit areas into the picture; `margin`: units round them, or none: as much as it takes to see what is beside. */
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

  /** Fit points into what the panels leave free of the picture. */
  fit(points) {
    const width = this.picture.clientWidth;
    const left = get("left").getBoundingClientRect().right / width;
    const right = get("right").hidden ? 0 : 1 - get("right").getBoundingClientRect().left / width;
    const narrow = left + right > 0.6;
    this.camera.fit(points, this.aspect(), narrow ? 0 : left, narrow ? 0 : right);
    this.redraw();
  }

  goTo(area) {
    this.done(() => this.scene.pick(area));
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
    const slider = (id, value, none) => {
      Object.assign(get(id), { min: low, max: high, step: 8 });
      get(id).value = Math.min(Math.max(value, low), high);
      get(`${id === "below" ? "below" : "above"}-told`).textContent = value === none ? "" : Math.round(value);
    };
    slider("below", scene.cutHigh[2], 1e9);
    slider("above-from", scene.cutLow[2], -1e9);
    get("shells").value = scene.shells;
    get("shells-told").textContent = `${Math.round(100 * scene.shells)} %`;
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
      const count = data.entities.sort.filter((one) => one === name).length;
      sections.push(this.item(name, colour, scene.layers.has("entities"), null, count));
    }
    get("legend").replaceChildren(...sections);
  }

  linkRows() {
    const { scene, data } = this;
    if (scene.colour === "change") {
      const gained = data.arrays["link/gained"].reduce((sum, one) => sum + one, 0);
      return [this.item("gained", data.colours.gained, true, null, gained), this.item("lost", data.colours.lost, true, null, data.change.lost)];
    }
    return data.links.kinds.map(({ kind, name, colour, count }) => {
      const row = this.item(name, colour, !scene.hiddenLinks.has(kind), () => scene.toggle(scene.hiddenLinks, kind), count);
      row.dataset.link = name;
      return row;
    });
  }

  counts() {
    const count = this.data.areaKinds.map(() => 0);
    this.data.arrays["area/kind"].forEach((kind) => count[kind]++);
    return count;
  }

  /** A row of the legend; with an operation it can be clicked. */
  item(text, colour, on, operation, count = -1) {
    const row = element(operation ? "button" : "div", on ? "item" : "item off");
    if (operation || colour) row.append(patch(colour));
    row.append(text);
    if (count >= 0) row.append(element("span", "count", count.toLocaleString("en")));
    if (operation) {
      row.setAttribute("aria-pressed", on);
      row.addEventListener("click", () => this.done(operation));
    }
    return row;
  }

  showCard() {
    const { scene, data } = this;
    const routed = scene.start >= 0 || scene.goal >= 0;
    get("right").hidden = scene.picked < 0 && !routed;
    for (const id of ["start", "goal", "look"]) get(id).disabled = scene.picked < 0;
    const [first, ...facts] = scene.picked < 0 ? [""] : data.facts[scene.picked].split("\n");
    get("facts").replaceChildren(...(first ? [element("b", "", first), `\n${facts.join("\n")}`] : []));
    const ways = [];
    if (scene.picked >= 0 && scene.router) {
      ways.push(...this.wayRows("links out", "to", scene.router.leaving(scene.picked), scene.target));
      ways.push(...this.wayRows("links in", "from", scene.router.entering(scene.picked), scene.source));
    }
    get("ways").replaceChildren(...ways);
    get("route").replaceChildren(...this.routeRows());
  }

  wayRows(title, word, links, other) {
    const time = this.data.arrays["link/time"];
    const sorted = [...links].sort((one, two) => time[one] - time[two] || one - two);
    const rows = sorted.slice(0, MOST_LINKS).map((link) => this.way(link, word, other[link], time[link]));
    const more = sorted.length > MOST_LINKS ? [`  … and ${sorted.length - MOST_LINKS} more`] : [];
    return [element("span", "told", `${title}: ${sorted.length || "none"}`), ...rows, ...more];
  }

  routeRows() {
    const { scene } = this;
    if (!scene.route) {
      const ends = [["start", scene.start], ["goal", scene.goal]].filter(([, area]) => area >= 0);
      return ends.map(([word, area]) => element("span", "told", `${word} ${area}`));
    }
    const total = scene.route.length ? scene.route[scene.route.length - 1].arrival : 0;
    const title = `route ${scene.start} to ${scene.goal}: ${(total / 100).toFixed(2)} s, ${scene.route.length} ${scene.route.length === 1 ? "link" : "links"}`;
    return [element("span", "told", title), ...scene.route.map(({ link, arrival }) => this.way(link, "to", scene.target[link], arrival))];
  }

  /** A line for a link, which goes to the area at its other end when it is clicked. */
  way(link, word, area, time) {
    const kind = this.data.links.kinds.find((one) => one.kind === this.scene.linkKind[link]);
    const texts = [kind.name, `${word} ${area}`, `${(time / 100).toFixed(2)} s`].map((text) => element("span", "", text));
    const row = element("button", "way", patch(kind.colour), ...texts);
    row.addEventListener("click", () => this.goTo(area));
    return row;
  }

  // --- mouse and keys -----------------------------------------------------------------------------------------------

  listen() {
    const { scene } = this;
    get("colour").addEventListener("change", (event) => this.done(() => (scene.colour = event.target.value)));
    get("go").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = get("number").value.trim();
      if (/^\d{1,9}$/.test(text)) this.goTo(Number(text));
    });
    const press = { corner: "i", above: "t", keys: "h", start: "s", goal: "e", look: "v", focus: "f", clear: "Escape" };
    for (const [id, key] of Object.entries(press)) get(id).addEventListener("click", () => this.press(key));
    get("below").addEventListener("input", (event) => this.cut(1, Number(event.target.value)));
    get("above-from").addEventListener("input", (event) => this.cut(0, Number(event.target.value)));
    get("shells").addEventListener("input", (event) => this.done(() => (scene.shells = Number(event.target.value))));
    window.addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLInputElement && event.target.type !== "range";
      if (typing && event.key === "Escape") event.target.blur();
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.press(event.key)) event.preventDefault();
    });
    this.listenToMouse();
  }

  /** Cut at a height; at the rim of everything the cut is open. */
  cut(upper, height) {
    const { scene } = this;
    if (upper) scene.cutHigh[2] = height >= Number(get("below").max) ? 1e9 : height;
    else scene.cutLow[2] = height <= Number(get("above-from").min) ? -1e9 : height;
    this.showControls();
    this.redraw();
  }

  listenToMouse() {
    const canvas = this.picture;
    const down = new Map(); // pointers that are down, and where they are
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      if (!down.size) moved = 0;
      down.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!down.has(event.pointerId)) return;
      const before = [...down.values()];
      const [x, y] = down.get(event.pointerId);
      const [dx, dy] = [event.clientX - x, event.clientY - y];
      moved += Math.hypot(dx, dy);
      down.set(event.pointerId, [event.clientX, event.clientY]);
      if (down.size > 1) this.pinch(before, [...down.values()]);
      else if (event.shiftKey || event.buttons > 1) this.camera.move(dx, dy, canvas.clientHeight);
      else if (moved > STILL) this.camera.turn(dx, dy);
      if (moved > STILL) this.drag.since ||= performance.now();
      this.redraw();
    });
    canvas.addEventListener("pointerup", (event) => {
      down.delete(event.pointerId);
      this.drag = { since: 0, coarse: false };
      this.redraw();
      if (moved <= STILL && event.button === 0 && !down.size) this.click(event.clientX, event.clientY);
    });
    canvas.addEventListener("pointercancel", (event) => {
      down.delete(event.pointerId);
      this.drag = { since: 0, coarse: false };
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.camera.nearer(Math.exp(-0.0015 * Math.max(Math.min(event.deltaY, 200), -200)));
      this.redraw();
    }, { passive: false });
  }

  /** Two fingers: nearer and farther, and sideways. */
  pinch(before, after) {
    const wide = ([one, other]) => Math.max(Math.hypot(one[0] - other[0], one[1] - other[1]), 1);
    const middle = ([one, other]) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    this.camera.nearer(wide(after) / wide(before));
    const [from, to] = [middle(before), middle(after)];
    this.camera.move(to[0] - from[0], to[1] - from[1], this.picture.clientHeight);
  }

  click(x, y) {
    const density = this.density();
    this.done(() => this.scene.pick(this.painter.itemAt(Math.floor(x * density), Math.floor(y * density), this.seen())));
  }

  /** A key was pressed; false when it means nothing. */
  press(key) {
    const { scene, data } = this;
    const layer = data.layers.find((one) => one.key === key);
    if (layer) this.done(() => scene.toggle(scene.layers, layer.name));
    else if (KEYS[key]) KEYS[key][1](this);
    return Boolean(layer || KEYS[key]);
  }

  nextColouring(by) {
    const names = this.data.colourings.map(({ name }) => name);
    const next = (names.indexOf(this.scene.colour) + by + names.length) % names.length;
    this.done(() => (this.scene.colour = names[next]));
  }

  moveCut(upper, by) {
    const { scene } = this;
    const open = upper ? this.high[2] : this.data.low[2];
    const now = upper ? scene.cutHigh[2] : scene.cutLow[2];
    this.cut(upper, Math.round((Math.abs(now) < 1e9 ? now : open) + by));
  }

  help() {
    const layers = this.data.layers.map(({ name, key }) => `  ${key.padEnd(5)}${name}`);
    const keys = Object.entries(KEYS).filter(([, [words]]) => words).map(([key, [words]]) => `  ${(SHORT[key] ?? key).padEnd(5)}${words}`);
    const left = ["mouse", "  click  pick an area", "  drag   turn; with shift: move", "  wheel  nearer, farther", "", "layers on and off", ...layers];
    const right = ["keys", ...keys];
    const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, row) => `${(left[row] ?? "").padEnd(36)}${right[row] ?? ""}`);
    get("help").textContent = lines.join("\n");
    get("help").hidden = !get("help").hidden;
  }
}

const KEYS = {
  c: ["colour areas by the next thing", (page) => page.nextColouring(1)],
  C: ["… by the one before", (page) => page.nextColouring(-1)],
  a: ["areas of air on or off", (page) => page.done(() => page.scene.toggle(page.scene.hiddenAreas, "air"))],
  w: ["walking links on or off", (page) => page.done(() => page.scene.toggle(page.scene.hiddenLinks, page.data.walk))],
  "[": ["cut lower", (page) => page.moveCut(1, -32)],
  "]": ["cut higher", (page) => page.moveCut(1, 32)],
  "{": ["lower end of the cut, down", (page) => page.moveCut(0, -32)],
  "}": ["lower end of the cut, up", (page) => page.moveCut(0, 32)],
  b: ["a box round the picked area, or none", (page) => page.done(() => page.scene.toggleBox())],
  g: ["go to an area by its number", () => get("number").select()],
  v: ["look at the picked area", (page) => page.goTo(page.scene.picked)],
  s: ["the route starts at the picked area", (page) => page.done(() => page.scene.setEnds(page.scene.picked, page.scene.goal))],
  e: ["the route ends at the picked area", (page) => page.done(() => page.scene.setEnds(page.scene.start, page.scene.picked))],
  f: ["only what is picked, and the route", (page) => page.done(() => (page.scene.focus = !page.scene.focus))],
  o: ["shells more opaque", (page) => page.done(() => page.scene.fade(0.1))],
  O: ["shells less opaque", (page) => page.done(() => page.scene.fade(-0.1))],
  t: ["from above", (page) => page.lookFromAbove()],
  i: ["from a corner", (page) => page.lookFromCorner()],
  Escape: ["forget pick, route and cut", (page) => page.done(() => page.scene.clear())],
  h: ["this list", (page) => page.help()],
  "?": ["", (page) => page.help()],
};

const SHORT = { Escape: "Esc" };

unpack(get("data").textContent)
  .then((data) => {
    window.aas = new Page(data);
  })
  .catch((error) => {
    get("title").textContent = document.title;
    get("message").textContent = `The picture cannot be shown: ${error.message}.`;
  });
