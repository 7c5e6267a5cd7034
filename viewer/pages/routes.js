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
    let clock = 0;
    let here = triple(this.centre, start);
    for (let [link] = this.best(start); link >= 0; link = this.target[link] === goal ? -1 : this.after[link]) {
      clock += this.walk(this.source[link], here, triple(this.start, link)) + this.time[link];
      here = triple(this.end, link);
      taken.push({ link, arrival: clock });
    }
    return taken.length ? taken : null;
  }
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
