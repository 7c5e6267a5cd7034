/* The geometry kernels once more, in plain C: what `make bench` measures the compiled kernels against.
 *
 * Same algorithms, same order of arithmetic, so the answers are equal to the last bit; the benchmark checks that.
 * All state lives in structs that grow by realloc, as a C program would have it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *old, long rows, size_t row)
{
    void *more = realloc(old, (size_t)rows * row);
    if (!more)
        abort();
    return more;
}

/* --- polygons ----------------------------------------------------------------------------------------------------- */

typedef struct {
    double (*xyz)[3];
    int *start, *size;
    double *distance;
    int *where;
    int vertices, polys, vertex_room, poly_room, scratch_room;
    int front, back;
} Polys;

Polys *polys_new(int vertices, int polys)
{
    Polys *p = calloc(1, sizeof *p);
    p->vertex_room = vertices;
    p->poly_room = polys;
    p->xyz = grown(NULL, vertices, sizeof *p->xyz);
    p->start = grown(NULL, polys, sizeof *p->start);
    p->size = grown(NULL, polys, sizeof *p->size);
    return p;
}

void polys_free(Polys *p)
{
    free(p->xyz), free(p->start), free(p->size), free(p->distance), free(p->where), free(p);
}

int polys_vertices(const Polys *p)
{
    return p->vertices;
}

const double *polys_xyz(const Polys *p)
{
    return &p->xyz[0][0];
}

static int polys_begin(Polys *p, int vertices)
{
    if (p->vertices + vertices > p->vertex_room) {
        p->vertex_room = 2 * (p->vertices + vertices);
        p->xyz = grown(p->xyz, p->vertex_room, sizeof *p->xyz);
    }
    if (p->polys + 1 > p->poly_room) {
        p->poly_room = 2 * (p->polys + 1);
        p->start = grown(p->start, p->poly_room, sizeof *p->start);
        p->size = grown(p->size, p->poly_room, sizeof *p->size);
    }
    p->start[p->polys] = p->vertices;
    p->size[p->polys] = 0;
    return p->polys++;
}

static void polys_push(Polys *p, double x, double y, double z)
{
    double *v = p->xyz[p->vertices++];
    v[0] = x, v[1] = y, v[2] = z;
}

static void polys_close(Polys *p, int poly)
{
    p->size[poly] = p->vertices - p->start[poly];
}

void polys_load(Polys *p, int count, const long long *vertex_start, const double *xyz)
{
    for (int i = 0; i < count; i++) {
        int poly = polys_begin(p, (int)(vertex_start[i + 1] - vertex_start[i]));
        for (long long v = vertex_start[i]; v < vertex_start[i + 1]; v++)
            polys_push(p, xyz[3 * v], xyz[3 * v + 1], xyz[3 * v + 2]);
        polys_close(p, poly);
    }
}

static int polys_part(Polys *p, int first, int n, int side, const double *normal, double d)
{
    int poly = polys_begin(p, n + 2);
    for (int i = 0; i < n; i++) {
        const double *v = p->xyz[first + i];
        if (p->where[i] == 0 || p->where[i] == side)
            polys_push(p, v[0], v[1], v[2]);
        int j = i + 1 == n ? 0 : i + 1;
        if (p->where[i] + p->where[j] != 3 || !p->where[i] || !p->where[j])
            continue;
        int a = p->where[i] == 1 ? i : j, b = p->where[i] == 1 ? j : i;
        double t = p->distance[a] / (p->distance[a] - p->distance[b]);
        const double *va = p->xyz[first + a], *vb = p->xyz[first + b];
        double cut[3];
        for (int k = 0; k < 3; k++) {
            cut[k] = va[k] + t * (vb[k] - va[k]);
            if (normal[k] == 1.0)
                cut[k] = d;
            else if (normal[k] == -1.0)
                cut[k] = -d;
        }
        polys_push(p, cut[0], cut[1], cut[2]);
    }
    polys_close(p, poly);
    return poly;
}

static int polys_split(Polys *p, int poly, const double *normal, double d, double eps)
{
    int first = p->start[poly], n = p->size[poly], found = 0;
    if (n > p->scratch_room) {
        p->scratch_room = 2 * n;
        p->distance = grown(p->distance, 2 * n, sizeof *p->distance);
        p->where = grown(p->where, 2 * n, sizeof *p->where);
    }
    for (int i = 0; i < n; i++) {
        const double *v = p->xyz[first + i];
        double s = v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2] - d;
        int where = s > eps ? 1 : s < -eps ? 2 : 0;
        p->distance[i] = s;
        p->where[i] = where;
        found |= where;
    }
    p->front = found == 1 ? poly : -1;
    p->back = found == 2 ? poly : -1;
    if (found == 3) {
        p->front = polys_part(p, first, n, 1, normal, d);
        p->back = polys_part(p, first, n, 2, normal, d);
    }
    return found;
}

void split_all(Polys *p, int count, const double *normal, const double *dist, double eps, int *front, int *back)
{
    for (int i = 0; i < count; i++) {
        polys_split(p, i, normal + 3 * i, dist[i], eps);
        front[i] = p->front;
        back[i] = p->back;
    }
}

/* --- planes ------------------------------------------------------------------------------------------------------- */

typedef struct {
    double normal[3], dist;
    int chain;
} Plane;

typedef struct {
    Plane *row;
    int *head;
    int count, room;
    long buckets;
    double normal_eps, dist_eps, snap, shortest, farthest;
} Planes;

static long long cell(double value, double per_unit)
{
    return (long long)floor(value * per_unit + 0.5);
}

static int bucket(const Planes *t, long long a, long long b, long long c, long long d)
{
    long long mixed = ((a * 131 + b) * 131 + c) * 1031 + d;
    return (int)((mixed ^ (mixed >> 13)) & (t->buckets - 1));
}

static void planes_link(Planes *t, int row)
{
    Plane *p = &t->row[row];
    int b = bucket(t, cell(fabs(p->normal[0]), 256.0), cell(fabs(p->normal[1]), 256.0), cell(fabs(p->normal[2]), 256.0),
                   cell(fabs(p->dist), 4.0));
    p->chain = t->head[b];
    t->head[b] = row;
}

static void planes_grow(Planes *t)
{
    t->room *= 2;
    t->buckets = 2L * t->room;
    t->row = grown(t->row, t->room, sizeof *t->row);
    t->head = grown(t->head, t->buckets, sizeof *t->head);
    memset(t->head, -1, (size_t)t->buckets * sizeof *t->head);
    for (int i = 0; i < t->count; i += 2)
        planes_link(t, i);
}

Planes *planes_new(double normal_eps, double dist_eps, double snap, double shortest, double farthest)
{
    Planes *t = calloc(1, sizeof *t);
    t->room = 32;
    t->normal_eps = normal_eps, t->dist_eps = dist_eps, t->snap = snap;
    t->shortest = shortest, t->farthest = farthest;
    planes_grow(t);
    return t;
}

void planes_free(Planes *t)
{
    free(t->row), free(t->head), free(t);
}

static int planes_find(const Planes *t, int b, const double *n, double d, int best)
{
    for (int row = t->head[b]; row >= 0; row = t->row[row].chain) {
        const Plane *p = &t->row[row];
        if (!(fabs(fabs(p->dist) - fabs(d)) < t->dist_eps) || (best >= 0 && row >= best))
            continue;
        for (int side = 0; side < 2; side++) {
            double sign = 1.0 - 2.0 * side;
            if (fabs(p->dist - sign * d) < t->dist_eps && fabs(p->normal[0] - sign * n[0]) < t->normal_eps &&
                fabs(p->normal[1] - sign * n[1]) < t->normal_eps && fabs(p->normal[2] - sign * n[2]) < t->normal_eps) {
                best = row + side;
                break;
            }
        }
    }
    return best;
}

static int planes_lookup(const Planes *t, const double *n, double d)
{
    long long low[4], high[4];
    for (int k = 0; k < 3; k++) {
        low[k] = cell(fabs(n[k]) - t->normal_eps, 256.0);
        high[k] = cell(fabs(n[k]) + t->normal_eps, 256.0);
    }
    low[3] = cell(fabs(d) - t->dist_eps, 4.0);
    high[3] = cell(fabs(d) + t->dist_eps, 4.0);
    int best = -1;
    for (long long i = low[0]; i <= high[0]; i++)
        for (long long j = low[1]; j <= high[1]; j++)
            for (long long k = low[2]; k <= high[2]; k++)
                for (long long m = low[3]; m <= high[3]; m++)
                    best = planes_find(t, bucket(t, i, j, k, m), n, d, best);
    return best;
}

static int planes_add(Planes *t, const double *normal, double d)
{
    double n[3] = {normal[0], normal[1], normal[2]};
    if (!isfinite(n[0]) || !isfinite(n[1]) || !isfinite(n[2]) || !isfinite(d))
        return -1;
    double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (fabs(square - 1.0) > t->shortest) {
        double length = sqrt(square);
        if (!isfinite(length) || length < t->shortest)
            return -1;
        n[0] /= length, n[1] /= length, n[2] /= length, d /= length;
    }
    if (fabs(d) > t->farthest)
        return -1;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        if (fabs(n[i]) < t->normal_eps && fabs(n[j]) < t->normal_eps) {
            n[k] = n[k] > 0 ? 1.0 : -1.0;
            n[i] = n[j] = 0.0;
            break;
        }
    }
    double whole = floor(d + 0.5);
    if (fabs(d - whole) < t->snap)
        d = whole;
    int best = planes_lookup(t, n, d);
    if (best >= 0)
        return best;
    double lead = n[0];
    if (fabs(n[1]) > fabs(lead) + t->normal_eps)
        lead = n[1];
    if (fabs(n[2]) > fabs(lead) + t->normal_eps)
        lead = n[2];
    int flip = lead < 0.0;
    if (t->count + 2 > t->room)
        planes_grow(t);
    for (int side = 0; side < 2; side++) {
        double sign = side == flip ? 1.0 : -1.0;
        Plane *p = &t->row[t->count + side];
        for (int k = 0; k < 3; k++)
            p->normal[k] = sign * n[k] + 0.0;
        p->dist = sign * d + 0.0;
    }
    int row = t->count;
    t->count += 2;
    planes_link(t, row);
    return row + flip;
}

void intern_all(Planes *t, int count, const double *normal, const double *dist, int *out)
{
    for (int i = 0; i < count; i++)
        out[i] = planes_add(t, normal + 3 * i, dist[i]);
}

/* --- hulls -------------------------------------------------------------------------------------------------------- */

typedef struct {
    int start, size, side;
} Face;

typedef struct {
    double (*vertex)[3];
    int *loop;
    Face *face;
    int vertices, loops, faces;
} Rows;

typedef struct {
    Rows now, next;
    double *distance;
    int *where, *renumber, *head, *chain, *cut_front, *cut_row, *cap_next, *edge_from, *edge_to, *side_face;
    int vertex_room, loop_room, face_room, side_room, cuts, edges, flat;
    double extent, clip, min_edge, min_volume, min_area, volume, box[6];
} Hull;

static void hull_reserve(Hull *h, int vertices, int loops, int faces)
{
    if (vertices > h->vertex_room) {
        int room = h->vertex_room = 2 * vertices;
        h->now.vertex = grown(h->now.vertex, room, sizeof *h->now.vertex);
        h->next.vertex = grown(h->next.vertex, room, sizeof *h->next.vertex);
        h->distance = grown(h->distance, room, sizeof(double));
        int **column[] = {&h->where, &h->renumber, &h->head, &h->chain, &h->cut_front, &h->cut_row, &h->cap_next};
        for (int i = 0; i < 7; i++)
            *column[i] = grown(*column[i], room, sizeof(int));
    }
    if (loops > h->loop_room) {
        int room = h->loop_room = 2 * loops;
        int **column[] = {&h->now.loop, &h->next.loop, &h->edge_from, &h->edge_to};
        for (int i = 0; i < 4; i++)
            *column[i] = grown(*column[i], room, sizeof(int));
    }
    if (faces > h->face_room) {
        h->face_room = 2 * faces;
        h->now.face = grown(h->now.face, h->face_room, sizeof(Face));
        h->next.face = grown(h->next.face, h->face_room, sizeof(Face));
    }
}

Hull *hull_new(double extent, double clip, double min_edge, double min_volume, double min_area)
{
    Hull *h = calloc(1, sizeof *h);
    h->extent = extent, h->clip = clip, h->min_edge = min_edge, h->min_volume = min_volume, h->min_area = min_area;
    hull_reserve(h, 256, 1024, 64);
    return h;
}

void hull_free(Hull *h)
{
    void *all[] = {h->now.vertex, h->now.loop, h->now.face, h->next.vertex, h->next.loop, h->next.face, h->distance,
                   h->where, h->renumber, h->head, h->chain, h->cut_front, h->cut_row, h->cap_next, h->edge_from,
                   h->edge_to, h->side_face, h};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void hull_clear(Hull *h)
{
    h->now.vertices = h->now.loops = h->now.faces = 0;
}

static void hull_start(Hull *h)
{
    h->flat = 0;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            h->now.vertex[i][k] = i >> k & 1 ? h->extent : -h->extent;
    for (int f = 0; f < 6; f++) {
        int axis = f >> 1;
        h->now.face[f] = (Face){4 * f, 4, -1};
        for (int k = 0; k < 4; k++) {
            int i = f & 1 ? k : 3 - k, corner = (f & 1) << axis;
            if (i == 1 || i == 2)
                corner |= 1 << (axis + 1) % 3;
            if (i >= 2)
                corner |= 1 << (axis + 2) % 3;
            h->now.loop[4 * f + k] = corner;
        }
    }
    h->now.vertices = 8, h->now.faces = 6, h->now.loops = 24;
}

static int hull_classify(Hull *h, const double *n, double d, double eps)
{
    int found = 0;
    for (int i = 0; i < h->now.vertices; i++) {
        const double *v = h->now.vertex[i];
        double s = v[0] * n[0] + v[1] * n[1] + v[2] * n[2] - d;
        int where = s > eps ? 1 : s < -eps ? 2 : 0;
        h->distance[i] = s;
        h->where[i] = where;
        found |= where;
        h->renumber[i] = h->head[i] = -1;
    }
    return found;
}

static int hull_keep(Hull *h, int vertex)
{
    int row = h->next.vertices++;
    memcpy(h->next.vertex[row], h->now.vertex[vertex], sizeof *h->now.vertex);
    return h->renumber[vertex] = row;
}

static void hull_place(Hull *h, int row, int a, int b, const double *n, double d)
{
    double t = h->distance[a] / (h->distance[a] - h->distance[b]);
    const double *va = h->now.vertex[a], *vb = h->now.vertex[b];
    double *out = h->next.vertex[row];
    for (int k = 0; k < 3; k++)
        out[k] = fabs(n[k]) == 1.0 ? n[k] * d : va[k] + t * (vb[k] - va[k]);
}

static int hull_crossing(Hull *h, int a, int b, const double *n, double d)
{
    for (int k = h->head[b]; k >= 0; k = h->chain[k])
        if (h->cut_front[k] == a)
            return h->cut_row[k];
    int row = h->next.vertices++, k = h->cuts++;
    h->cut_front[k] = a;
    h->cut_row[k] = row;
    h->chain[k] = h->head[b];
    h->head[b] = k;
    hull_place(h, row, a, b, n, d);
    return row;
}

static void hull_open(Hull *h, int from, int to)
{
    h->edge_from[h->edges] = from;
    h->edge_to[h->edges++] = to;
}

static int hull_clip_face(Hull *h, const Face *face, int write, const double *n, double d)
{
    const int *loop = h->now.loop + face->start;
    int *out = h->next.loop;
    int begin = write, last = -1, first_on = 0, b = loop[0], there = h->where[b];
    for (int i = 0; i < face->size; i++) {
        int a = b, here = there, row;
        b = i + 1 < face->size ? loop[i + 1] : loop[0];
        there = h->where[b];
        if (here != 1) {
            row = h->renumber[a];
            if (row < 0)
                row = hull_keep(h, a);
            if (here == 0) {
                if (last >= 0)
                    hull_open(h, last, row);
                if (write == begin)
                    first_on = 1;
                last = row;
            } else {
                last = -1;
            }
            out[write++] = row;
        }
        if (here + there == 3) {
            row = here == 1 ? hull_crossing(h, a, b, n, d) : hull_crossing(h, b, a, n, d);
            if (last >= 0)
                hull_open(h, last, row);
            if (write == begin)
                first_on = 1;
            last = row;
            out[write++] = row;
        }
    }
    if (last >= 0 && first_on)
        hull_open(h, last, out[begin]);
    return write;
}

static int hull_clip_faces(Hull *h, const double *n, double d)
{
    int write = 0;
    h->next.vertices = h->next.faces = h->cuts = h->edges = 0;
    for (int f = 0; f < h->now.faces; f++) {
        Face *face = &h->now.face[f];
        int found = 0;
        for (int i = face->start; i < face->start + face->size; i++)
            found |= h->where[h->now.loop[i]];
        if (found == 1)
            continue;
        int end = hull_clip_face(h, face, write, n, d);
        h->next.face[h->next.faces++] = (Face){write, end - write, face->side};
        write = end;
    }
    return write;
}

static int hull_chain_edges(Hull *h, int write)
{
    if (!h->edges)
        return 0;
    for (int i = 0; i < h->edges; i++)
        h->cap_next[h->edge_from[i]] = h->cap_next[h->edge_to[i]] = -1;
    for (int i = 0; i < h->edges; i++) {
        if (h->cap_next[h->edge_to[i]] >= 0)
            return -1;
        h->cap_next[h->edge_to[i]] = h->edge_from[i];
    }
    int v = h->edge_from[0];
    for (int i = 0; i < h->edges; i++) {
        h->next.loop[write + i] = v;
        v = h->cap_next[v];
        if (v < 0 || (v == h->edge_from[0] && i + 1 < h->edges))
            return -1;
    }
    return v == h->edge_from[0] ? h->edges : -1;
}

static void hull_cancel_edges(Hull *h)
{
    for (int i = 0; i < h->edges;) {
        int j = i + 1;
        while (j < h->edges && !(h->edge_from[i] == h->edge_to[j] && h->edge_to[i] == h->edge_from[j]))
            j++;
        if (j == h->edges) {
            i++;
            continue;
        }
        int last = h->edges - 1;
        h->edge_from[j] = h->edge_from[last], h->edge_to[j] = h->edge_to[last];
        last--;
        h->edge_from[i] = h->edge_from[last], h->edge_to[i] = h->edge_to[last];
        h->edges = last;
    }
}

static void hull_swap(Hull *h)
{
    Rows rows = h->now;
    h->now = h->next;
    h->next = rows;
}

/* A cut that leaves nothing: the benchmark's brushes all have volume, so flat hulls are not needed here. */
static void hull_cut(Hull *h, const double *n, double d, int side)
{
    if (!h->now.vertices)
        return;
    double eps = h->clip;
    int write, cap;
    hull_reserve(h, h->now.vertices + h->now.loops, 4 * h->now.loops + 8, h->now.faces + 1);
    for (;; eps *= 8.0) {
        int found = hull_classify(h, n, d, eps);
        if (!(found & 1))
            return;
        if (!(found & 2)) {
            hull_clear(h);
            return;
        }
        write = hull_clip_faces(h, n, d);
        cap = hull_chain_edges(h, write);
        if (cap < 0) {
            hull_cancel_edges(h);
            cap = hull_chain_edges(h, write);
        }
        if (cap >= 0)
            break;
    }
    if (cap >= 3) {
        h->next.face[h->next.faces++] = (Face){write, cap, side};
        write += cap;
    }
    h->next.loops = write;
    hull_swap(h);
}

static int hull_tidy(int *loop, int size)
{
    int n = 0, i = 0;
    for (int k = 0; k < size; k++) {
        int v = loop[k];
        if (n >= 1 && loop[n - 1] == v)
            continue;
        if (n >= 2 && loop[n - 2] == v) {
            n--;
            continue;
        }
        loop[n++] = v;
    }
    while (n >= 3) {
        if (loop[i] == loop[i + n - 1])
            n--;
        else if (loop[i] == loop[i + n - 2])
            n -= 2;
        else if (loop[i + 1] == loop[i + n - 1])
            i++, n -= 2;
        else
            break;
    }
    memmove(loop, loop + i, (size_t)(n > 0 ? n : 0) * sizeof *loop);
    return n;
}

static void hull_contract(Hull *h)
{
    Rows *r = &h->now;
    double limit = h->min_edge * h->min_edge;
    int brief = 0, write = 0;
    for (int i = 0; i < r->vertices; i++)
        h->renumber[i] = i;
    for (int f = 0; f < r->faces; f++) {
        const int *loop = r->loop + r->face[f].start;
        int a = loop[r->face[f].size - 1];
        for (int i = 0; i < r->face[f].size; i++) {
            int b = loop[i];
            if (a < b) {
                double x = r->vertex[a][0] - r->vertex[b][0], y = r->vertex[a][1] - r->vertex[b][1],
                       z = r->vertex[a][2] - r->vertex[b][2];
                if (x * x + y * y + z * z < limit) {
                    int p = a, q = b;
                    brief = 1;
                    while (h->renumber[p] != p)
                        p = h->renumber[p];
                    while (h->renumber[q] != q)
                        q = h->renumber[q];
                    if (p < q)
                        h->renumber[q] = p;
                    else
                        h->renumber[p] = q;
                }
            }
            a = b;
        }
    }
    if (!brief)
        return;
    for (int i = 0; i < r->vertices; i++)
        h->renumber[i] = h->renumber[h->renumber[i]];
    for (int f = 0; f < r->faces; f++) {
        Face face = r->face[f];
        for (int i = face.start; i < face.start + face.size; i++)
            r->loop[i] = h->renumber[r->loop[i]];
        face.size = hull_tidy(r->loop + face.start, face.size);
        if (face.size >= 3)
            r->face[write++] = face;
    }
    r->faces = write;
}

static void hull_measure(Hull *h)
{
    const Rows *r = &h->now;
    double six = 0.0;
    h->volume = 0.0;
    for (int k = 0; k < 3; k++)
        h->box[k] = INFINITY, h->box[3 + k] = -INFINITY;
    if (!r->faces)
        return;
    const double *o = r->vertex[r->loop[r->face[0].start]];
    for (int f = 0; f < r->faces; f++) {
        const int *loop = r->loop + r->face[f].start;
        int size = r->face[f].size;
        double c[3], a[3], b[3];
        for (int i = 0; i < size; i++)
            for (int k = 0; k < 3; k++) {
                double v = r->vertex[loop[i]][k];
                if (v < h->box[k])
                    h->box[k] = v;
                if (v > h->box[3 + k])
                    h->box[3 + k] = v;
            }
        for (int k = 0; k < 3; k++)
            c[k] = r->vertex[loop[0]][k] - o[k];
        for (int i = 1; i + 1 < size; i++) {
            for (int k = 0; k < 3; k++) {
                a[k] = r->vertex[loop[i]][k] - o[k];
                b[k] = r->vertex[loop[i + 1]][k] - o[k];
            }
            six += c[0] * (a[1] * b[2] - a[2] * b[1]) + c[1] * (a[2] * b[0] - a[0] * b[2]) +
                   c[2] * (a[0] * b[1] - a[1] * b[0]);
        }
    }
    h->volume = six / 6.0;
}

static void hull_emit(Hull *h, Polys *out, int count)
{
    if (count > h->side_room) {
        h->side_room = 2 * count;
        h->side_face = grown(h->side_face, h->side_room, sizeof(int));
    }
    for (int s = 0; s < count; s++)
        h->side_face[s] = -1;
    for (int f = 0; f < h->now.faces; f++)
        if (h->now.face[f].side >= 0)
            h->side_face[h->now.face[f].side] = f;
    for (int s = 0; s < count; s++) {
        int f = h->side_face[s];
        if (f < 0) {
            polys_begin(out, 0);
            continue;
        }
        Face face = h->now.face[f];
        int poly = polys_begin(out, face.size);
        for (int i = 0; i < face.size; i++) {
            const double *v = h->now.vertex[h->now.loop[face.start + i]];
            polys_push(out, v[0], v[1], v[2]);
        }
        polys_close(out, poly);
    }
}

static int hull_build(Hull *h, int planes, const double *normal, const double *dist, const int *side_plane, int count)
{
    for (int i = 0; i < count; i++) {
        int plane = side_plane[i];
        if (plane < 0 || plane >= planes || !isfinite(dist[plane]) || !isfinite(normal[3 * plane]) ||
            !isfinite(normal[3 * plane + 1]) || !isfinite(normal[3 * plane + 2])) {
            hull_clear(h);
            return 3;
        }
    }
    hull_start(h);
    for (int i = 0; i < count; i++)
        hull_cut(h, normal + 3 * side_plane[i], dist[side_plane[i]], i);
    hull_contract(h);
    hull_measure(h);
    if (h->volume < h->min_volume)
        hull_clear(h);
    if (!h->now.faces)
        return 1;
    for (int f = 0; f < h->now.faces; f++)
        if (h->now.face[f].side < 0)
            return 2;
    return 0;
}

void hull_all(Hull *h, int planes, const double *normal, const double *dist, int count, const long long *side_start,
              const int *side_plane, Polys *out, double *bounds, double *volume, int *status)
{
    for (int i = 0; i < count; i++) {
        int sides = (int)(side_start[i + 1] - side_start[i]);
        status[i] = hull_build(h, planes, normal, dist, side_plane + side_start[i], sides);
        memcpy(bounds + 6 * i, h->box, sizeof h->box);
        volume[i] = h->volume;
        hull_emit(h, out, sides);
    }
}
