// Path queries of Detour on a mesh that Recast makes of a map's faces, for comparison with ours.
//
// Reads from stdin: counts of vertices, triangles and pairs (int32), vertices (3 floats, y up), triangles (3 int32), pairs
// of points (6 floats), the size of the player: radius, height, step (3 floats), slope in degrees (1 float), and a count
// of jumps and the like (int32) with both ends of each (6 floats), which become off-mesh connections.
// Prints: seconds to build, polygons, seconds of the processor for all queries, and a mean query of those whose path
// arrives; then the numbers of the pairs whose path arrives.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

template <class T> static void take(T* into, size_t count) {
    if (fread(into, sizeof(T), count, stdin) != count) {
        fprintf(stderr, "detour: input is too short\n");
        exit(1);
    }
}

static void require(bool holds, const char* what) {
    if (!holds) {
        fprintf(stderr, "detour: %s failed\n", what);
        exit(1);
    }
}

int main() {
    int counts[3];
    take(counts, 3);
    std::vector<float> vertex(3 * counts[0]), pair(6 * counts[2]);
    std::vector<int> triangle(3 * counts[1]);
    float size[4];
    take(vertex.data(), vertex.size());
    take(triangle.data(), triangle.size());
    take(pair.data(), pair.size());
    take(size, 4);
    int jumps;
    take(&jumps, 1);
    std::vector<float> jump(6 * jumps), jump_radius(jumps, size[0]);
    take(jump.data(), jump.size());
    std::vector<unsigned short> jump_flag(jumps, 1);
    std::vector<unsigned char> jump_area(jumps, 0), one_way(jumps, 0);
    std::vector<unsigned int> jump_id(jumps, 0);

    double start = now();
    rcContext context(false);
    rcConfig c;
    memset(&c, 0, sizeof(c));
    c.cs = 4.0f;
    c.ch = 2.0f;
    c.walkableSlopeAngle = size[3];
    c.walkableRadius = (int)ceilf(size[0] / c.cs);
    c.walkableHeight = (int)ceilf(size[1] / c.ch);
    c.walkableClimb = (int)floorf(size[2] / c.ch);
    c.maxEdgeLen = 256;
    c.maxSimplificationError = 1.3f;
    c.minRegionArea = 16;
    c.mergeRegionArea = 400;
    c.maxVertsPerPoly = DT_VERTS_PER_POLYGON;
    c.detailSampleDist = 24.0f;
    c.detailSampleMaxError = 2.0f;
    rcCalcBounds(vertex.data(), counts[0], c.bmin, c.bmax);
    rcCalcGridSize(c.bmin, c.bmax, c.cs, &c.width, &c.height);

    rcHeightfield* field = rcAllocHeightfield();
    require(rcCreateHeightfield(&context, *field, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch), "heightfield");
    std::vector<unsigned char> kind(counts[1], 0);
    rcMarkWalkableTriangles(&context, c.walkableSlopeAngle, vertex.data(), counts[0], triangle.data(), counts[1],
                            kind.data());
    require(rcRasterizeTriangles(&context, vertex.data(), counts[0], triangle.data(), kind.data(), counts[1], *field,
                                 c.walkableClimb), "rasterizing");
    rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *field);
    rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *field);
    rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *field);
    rcCompactHeightfield* compact = rcAllocCompactHeightfield();
    require(rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *field, *compact), "compacting");
    require(rcErodeWalkableArea(&context, c.walkableRadius, *compact), "eroding");
    require(rcBuildDistanceField(&context, *compact), "distances");
    require(rcBuildRegions(&context, *compact, 0, c.minRegionArea, c.mergeRegionArea), "regions");
    rcContourSet* contours = rcAllocContourSet();
    require(rcBuildContours(&context, *compact, c.maxSimplificationError, c.maxEdgeLen, *contours), "contours");
    rcPolyMesh* mesh = rcAllocPolyMesh();
    require(rcBuildPolyMesh(&context, *contours, c.maxVertsPerPoly, *mesh), "polygons");
    rcPolyMeshDetail* detail = rcAllocPolyMeshDetail();
    require(rcBuildPolyMeshDetail(&context, *mesh, *compact, c.detailSampleDist, c.detailSampleMaxError, *detail),
            "detail");
    for (int i = 0; i < mesh->npolys; i++) mesh->flags[i] = 1;

    dtNavMeshCreateParams p;
    memset(&p, 0, sizeof(p));
    p.verts = mesh->verts;
    p.vertCount = mesh->nverts;
    p.polys = mesh->polys;
    p.polyAreas = mesh->areas;
    p.polyFlags = mesh->flags;
    p.polyCount = mesh->npolys;
    p.nvp = mesh->nvp;
    p.detailMeshes = detail->meshes;
    p.detailVerts = detail->verts;
    p.detailVertsCount = detail->nverts;
    p.detailTris = detail->tris;
    p.detailTriCount = detail->ntris;
    p.walkableHeight = size[1];
    p.walkableRadius = size[0];
    p.walkableClimb = size[2];
    p.offMeshConVerts = jump.data();
    p.offMeshConRad = jump_radius.data();
    p.offMeshConFlags = jump_flag.data();
    p.offMeshConAreas = jump_area.data();
    p.offMeshConDir = one_way.data();
    p.offMeshConUserID = jump_id.data();
    p.offMeshConCount = jumps;
    rcVcopy(p.bmin, mesh->bmin);
    rcVcopy(p.bmax, mesh->bmax);
    p.cs = c.cs;
    p.ch = c.ch;
    p.buildBvTree = true;
    unsigned char* data = nullptr;
    int bytes = 0;
    require(dtCreateNavMeshData(&p, &data, &bytes), "navigation data");
    dtNavMesh* navigation = dtAllocNavMesh();
    require(dtStatusSucceed(navigation->init(data, bytes, DT_TILE_FREE_DATA)), "navigation mesh");
    dtNavMeshQuery* query = dtAllocNavMeshQuery();
    require(dtStatusSucceed(query->init(navigation, 65535)), "query");
    double built = now() - start;

    // Polygons of the points are found before the clock starts: our areas of the points are known too.
    dtQueryFilter filter;
    const float reach[3] = {32.0f, 64.0f, 32.0f};
    std::vector<dtPolyRef> ref(2 * counts[2], 0);
    std::vector<float> on(6 * counts[2], 0.0f);
    for (int i = 0; i < 2 * counts[2]; i++) query->findNearestPoly(&pair[3 * i], reach, &filter, &ref[i], &on[3 * i]);
    const int most = 2048;
    std::vector<dtPolyRef> path(most), corner_ref(most);
    std::vector<float> corner(3 * most);
    std::vector<unsigned char> flag(most);
    double seconds[2];
    std::vector<int> known;
    for (int round = 0; round < 2; round++) {  // all queries; then as many of those whose path arrives
        start = now();
        for (int i = 0; i < (round && known.empty() ? 0 : counts[2]); i++) {
            int pair = round ? known[i % known.size()] : i, n = 0, corners = 0;
            const dtPolyRef *ends = &ref[2 * pair];
            if (!ends[0] || !ends[1]) continue;
            query->findPath(ends[0], ends[1], &on[6 * pair], &on[6 * pair + 3], &filter, path.data(), &n, most);
            if (!n || path[n - 1] != ends[1]) continue;
            query->findStraightPath(&on[6 * pair], &on[6 * pair + 3], path.data(), n, corner.data(), flag.data(),
                                    corner_ref.data(), &corners, most);
            if (!round) known.push_back(pair);
        }
        seconds[round] = now() - start;
    }
    printf("%.6f %d %.6f %.6f\n", built, mesh->npolys, seconds[0], seconds[1]);
    for (int pair : known) printf("%d\n", pair);
}
