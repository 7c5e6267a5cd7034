// Finds the fastest routes, with the same search as `aas`: its nodes are links, at the moment before they are taken.
"use strict";

class Router {
  constructor(data) {
    const { arrays } = data;
    this.centre = arrays["area/centre"];
    this.cost = arrays["area/cost"];
    this.factor = arrays["area/factor"];
    this.closed = arrays["area/closed"];
    for (const name of ["source", "target", "time", "start", "end"]) this[name] = arrays[`link/${name}`];
    this.leaving = grouped(this.source, data.facts.length);
    this.entering = grouped(this.target, data.facts.length);
    this.goal = -1;
  }

  /** Time to walk inside an area, at least 1, in 1/100 s. */
  walk(area, from, to) {
    return Math.max(distance(from, to) * this.cost[area], 1);
  }

  /** Compute, for every link, the time from its start to the goal and the link that follows it. */
  aim(goal) {
    if (goal === this.goal) return;
    const number = this.source.length;
    this.goal = goal;
    this.left = new Float64Array(number).fill(Infinity);
    this.after = new Int32Array(number).fill(-1);
    const queue = new Queue();
    for (const link of this.entering(goal)) {
      this.left[link] = this.time[link] * this.factor[goal];
      queue.push(link, this.left[link]);
    }
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [link, reached] = next;
      const area = this.source[link];
      if (reached > this.left[link] || this.closed[area]) continue;
      const start = triple(this.start, link);
      for (const before of this.entering(area)) {
        const walk = this.walk(area, triple(this.end, before), start);
        const time = reached + (this.time[before] + walk) * this.factor[area];
        if (time < this.left[before]) {
          this.left[before] = time;
          this.after[before] = link;
          queue.push(before, time);
        }
      }
    }
  }

  /** Time from the centre of every area to the goal, 1/100 s; infinite where no route leads to it. */
  timesTo(goal) {
    this.aim(goal);
    return Float64Array.from({ length: this.cost.length }, (_, area) => (area === goal ? 0 : this.best(area)[1]));
  }

  /** First link of the fastest route from the centre of an area, and the time to the goal. */
  best(area) {
    let found = [-1, Infinity];
    for (const link of this.leaving(area)) {
      const walk = this.walk(area, triple(this.centre, area), triple(this.start, link));
      const time = this.left[link] + walk * this.factor[area];
      if (time < found[1]) found = [link, time];
    }
    return found;
  }

  /** Links of the fastest route, each with the time of arrival at its end; null if there is no route. */
  route(start, goal) {
    if (start === goal) return [];
    this.aim(goal);
    const taken = [];
    for (let [link] = this.best(start); link >= 0; link = this.target[link] === goal ? -1 : this.after[link]) taken.push(link);
    return taken.length ? this.timed(start, taken) : null;
  }

  /** Compute, for every link, the time from the centre of an area to its start, and the link taken before it. */
  searchFrom(area) {
    const gone = new Float64Array(this.source.length).fill(Infinity);
    const before = new Int32Array(this.source.length).fill(-1);
    const queue = new Queue();
    const offer = (link, time, last) => {
      if (time >= gone[link]) return;
      gone[link] = time;
      before[link] = last;
      queue.push(link, time);
    };
    for (const link of this.leaving(area)) offer(link, this.walk(area, triple(this.centre, area), triple(this.start, link)), -1);
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [link, reached] = next;
      const here = this.target[link];
      if (reached > gone[link] || this.closed[here]) continue;
      for (const on of this.leaving(here)) {
        offer(on, reached + this.time[link] + this.walk(here, triple(this.end, link), triple(this.start, on)), link);
      }
    }
    return { gone, before };
  }

  /**
   * Up to `count` routes that differ from the fastest and from each other, as `aas route --alternatives` finds them: each
   * takes at most 1.5 times as long, passes no area twice, and shares at most 60 % of its time with any before it.
   */
  alternatives(start, goal, best, count) {
    const { gone, before } = this.searchFrom(start);
    const through = Array.from(gone, (time, link) => time + this.left[link]);
    const most = 1.5 * best[best.length - 1].arrival;
    const order = [...through.keys()].filter((link) => through[link] <= most).sort((a, b) => through[a] - through[b] || a - b);
    const tried = new Set(best.map(({ link }) => link));
    const found = [];
    for (const via of order) {
      if (found.length >= count) break;
      if (tried.has(via)) continue;
      const links = [];
      for (let link = before[via]; link >= 0; link = before[link]) links.unshift(link);
      for (let link = via; link >= 0; link = this.after[link]) links.push(link);
      links.filter((link) => Math.abs(through[link] - through[via]) < 1e-3).forEach((link) => tried.add(link));
      const areas = [start, ...links.map((link) => this.target[link])];
      if (new Set(areas).size < areas.length) continue;
      const route = this.timed(start, links);
      if ([best, ...found].every((other) => shared(route, other) <= 0.6)) found.push(route);
    }
    return found;
  }

  /** Links in order, each with the time of arrival at its end. */
  timed(start, links) {
    let clock = 0;
    let here = triple(this.centre, start);
    return links.map((link) => {
      clock += this.walk(this.source[link], here, triple(this.start, link)) + this.time[link];
      here = triple(this.end, link);
      return { link, arrival: clock };
    });
  }
}

/** Share of a route's time that it spends on links of another, and on the way to them. */
function shared(route, other) {
  const common = new Set(other.map(({ link }) => link));
  const legs = route.map(({ arrival }, row) => arrival - (row ? route[row - 1].arrival : 0));
  const both = legs.filter((_, row) => common.has(route[row].link)).reduce((sum, leg) => sum + leg, 0);
  return both / route[route.length - 1].arrival;
}

/** Return a function from an owner to its rows; `owner` holds the owner of each row. */
function grouped(owner, number) {
  const start = new Uint32Array(number + 1);
  for (const key of owner) start[key + 1]++;
  for (let row = 0; row < number; row++) start[row + 1] += start[row];
  const place = start.slice();
  const rows = new Uint32Array(owner.length);
  owner.forEach((key, row) => (rows[place[key]++] = row));
  return (key) => rows.subarray(start[key], start[key + 1]);
}

/** Priority queue with the lowest cost first: a binary heap. */
class Queue {
  constructor() {
    this.rows = [];
  }

  push(entry, cost) {
    const rows = this.rows;
    let at = rows.push([entry, cost]) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (rows[above][1] <= rows[at][1]) break;
      [rows[above], rows[at]] = [rows[at], rows[above]];
      at = above;
    }
  }

  pop() {
    const rows = this.rows;
    const first = rows[0];
    const last = rows.pop();
    if (!rows.length) return first;
    rows[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < rows.length && rows[below][1] < rows[least][1]) least = below;
      }
      if (least === at) return first;
      [rows[least], rows[at]] = [rows[at], rows[least]];
      at = least;
    }
  }
}
