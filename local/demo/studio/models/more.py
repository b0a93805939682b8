"""Six later pieces: a nagapadam necklace, a carved kappu bangle, a bell bracelet, seven-stone thodu studs, a V-shaped ring and a rectangular watch. Lengths in cm."""
import importlib.util
import math
import pathlib

import bpy
import numpy as np
import forms as F
import parts as P
import studio
from mathutils import Vector

Z = Vector((0, 0, 1))


def sibling(name):
    spec = importlib.util.spec_from_file_location(f"sib_{name}", pathlib.Path(__file__).parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)
    return module


# --- necklace ----------------------------------------------------------------------------------------

HOOD = [(0, .54), (-.035, .50), (-.10, .34), (-.135, .18), (-.215, .04), (-.262, -.12), (-.225, -.28), (-.12, -.375), (0, -.40)]


def hood(size=1.0):
    """A cobra's hood, tip at +y, counter-clockwise."""
    half = HOOD + [(-x, y) for x, y in HOOD[-2:0:-1]]
    return [Vector((q[0] * size, q[1] * size)) for q in P.resample(F.spline([Vector((x, y, 0)) for x, y in half], True, 10), count=84, closed=True)]


def nagapadam():
    n = sibling("necklaces"); gold, path = studio.gold(), F.neck_egg(5.0, 5.9)
    stone = studio.material("nagapadam blue", (.012, .055, .36), 0, .05, .35, 1.52, Clearcoat=1.0)
    shape = hood()
    leaf = F.cabochon(shape, .13, stone, base=.05, power=.8, rings=12); leaf.matrix_basis = F.move(0, 0, .075)
    collar = P.bezel([tuple(p) for p in shape], .115, gold, wall=.032, lip=.01)
    back = F.loft(F.offset(shape, .03), [(-.02, 0), (0, .012), (.025, .012), (.03, .03), (.02, .045), (-.02, .045)], gold)
    dots = P.beads_along([(p.x, p.y, .045) for p in F.offset(shape, .058)], .023, gold, closed=True, gap=.003, segments=12)
    gem = F.cabochon(F.circle(.068, 32), .06, studio.kemp(), base=.03); gem.matrix_basis = F.move(0, .63, .085)
    cup = P.bezel([(p.x, p.y) for p in F.circle(.068, 32)], .10, gold, wall=.028, lip=.008, at=F.move(0, .63, 0))
    foot = [P.ball(.052, gold, (x, y, .055)) for x, y in ((-.085, -.475), (.085, -.475), (0, -.545))]
    bpy.context.view_layer.update()
    for o in dots + foot + [cup]: o.matrix_basis = o.matrix_world
    one = [leaf, collar, back, gem, cup, *dots, *foot]
    spots = []; size = lambda s: .66 + .34 * n.front(path, s)
    for s in F.even_stations(path, 33, .62, size, skip_front=.50):
        k = size(s); spots.append(F.frame(path.at(s) + n.outward(path, s) * (.72 * k) + Z * .004, path.tangent(s)) @ F.scaled(k))
    # the middle one is half as large again, with a pearl below
    mid = F.frame(path.at(0) + n.outward(path, 0) * (.72 * 1.62) + Z * .004, path.tangent(0)) @ F.scaled(1.62)
    F.place(one, mid, *spots)
    tip = path.at(0) + n.outward(path, 0) * (1.62 * .72 + 1.62 * .60)
    P.ball(.05, gold, (tip.x, tip.y - .045, .06)); P.ball(.155, studio.freshwater(), (tip.x, tip.y - .24, .155)); P.ball(.04, gold, (tip.x, tip.y - .42, .14))
    P.beads_along(n.lifted(path, .075), .075, gold, closed=True)
    P.rope(n.lifted(path, .06, .135), .062, gold, strands=2, pitch=.28, closed=True)
    n.tassel_clasp(path, gold, studio.kemp())


# --- bracelets ---------------------------------------------------------------------------------------

def temple_gold():
    """Gold with darkness left in its hollows."""
    fresh = "temple gold" not in bpy.data.materials
    mat = studio.material("temple gold", (1.0, .66, .24), 1, .22)
    if fresh:
        tree = mat.node_tree; nodes, links = tree.nodes, tree.links
        geo, ramp = nodes.new("ShaderNodeNewGeometry"), nodes.new("ShaderNodeValToRGB")
        ramp.color_ramp.elements[0].position = .44; ramp.color_ramp.elements[0].color = (.20, .10, .03, 1)
        ramp.color_ramp.elements[1].position = .505; ramp.color_ramp.elements[1].color = (1.0, .66, .24, 1)
        links.new(geo.outputs["Pointiness"], ramp.inputs[0]); links.new(ramp.outputs[0], nodes["Principled BSDF"].inputs["Base Color"])
    return mat


def kappu():
    """A broad bangle carved with a creeper and flowers between corded edges, closed with a screw."""
    gold, R, half = studio.gold(), 2.72, .60
    period = math.tau * R / 11
    def height(s, z):
        t = s / period * math.tau; stem = .30 * math.sin(t); slope = .30 * math.cos(t) * math.tau / period
        h = math.exp(-((z - stem) / math.sqrt(1 + slope * slope) / .042) ** 2) * .8
        for centre, way in ((.25, -1), (.75, 1), (1.25, -1), (-.25, 1)):
            x, y = s - centre * period, z - way * .115  # a flower in every bend
            r, b = math.hypot(x, y) / .34, math.atan2(y, x)
            if r < 1:
                petal = abs(math.cos(4 * b)) ** .6
                h = max(h, (1 - (max(0, r - .18) / .82) ** 4) * (.35 + .75 * petal * min(1, r / .3)) if r > .27 else 1.15 * math.sqrt(1 - (r / .28) ** 2))
        for centre, way in ((0, 1), (0, -1), (.5, 1), (.5, -1), (1, 1), (1, -1)):
            x, y = s - centre * period, z - way * .36  # leaves where it crosses the middle
            c, q = math.cos(way * .5), math.sin(way * .5); x, y = x * c - y * q, x * q + y * c
            e = (x / .20) ** 2 + (y / .085) ** 2
            if e < 1: h = max(h, math.sqrt(1 - e) * (.75 + .25 * min(1, abs(y) / .02)))
        return h
    steps, rows = 1540, 96; verts, faces = [], []
    one = [[height(period * i / (steps / 11), -half + 2 * half * j / rows) for i in range(steps // 11)] for j in range(rows + 1)]
    for j in range(rows + 1):
        z = -half + 2 * half * j / rows
        for i in range(steps):
            a = math.tau * i / steps; r = R + .075 * one[j][i % (steps // 11)]
            verts.append((r * math.cos(a), r * math.sin(a), z))
    for j in range(rows):
        for i in range(steps):
            k = (i + 1) % steps; faces.append((j * steps + i, j * steps + k, (j + 1) * steps + k, (j + 1) * steps + i))
    P.mesh_object("carving", verts, faces, temple_gold(), None, 60)
    edge = lambda s: [(R - .12, s * (half + .02)), (R + .02, s * (half - .02)), (R + .10, s * (half + .02)), (R + .12, s * (half + .09)), (R + .09, s * (half + .17)), (R, s * (half + .20)), (R - .12, s * (half + .17))]
    for s in (1, -1):
        F.lathe(edge(s), gold, 256, ring=True, sharp=60)
        P.rope([(x, y, s * (half + .04)) for x, y, _ in P.circle(R + .105, 300)], .05, gold, 2, .2, closed=True, strand_segments=8)
        P.beads_along([(x, y, s * (half - .05)) for x, y, _ in P.circle(R + .05, 300)], .034, gold, .002, closed=True, segments=14)
    F.lathe([(R - .12, half + .1), (R - .135, half), (R - .135, -half), (R - .12, -half - .1), (R - .06, 0)], gold, 256, ring=True, sharp=60)
    # the hinge and the screw, right and left
    for a, screw in ((200, True), (20, False)):
        m = P.turn(a) @ P.move(R + .06, 0, 0)
        P.lathe([(0, -.70), (.085, -.70), (.10, -.66), (.10, .66), (.085, .70), (0, .70)], gold, 40, m)
        if screw:
            F.lathe([(0, .66), (.13, .66), (.15, .70), (.15, .80), (.12, .84), (0, .86)], gold, 96, carve=lambda r, z, b: (r * (1 + .05 * math.cos(16 * b)), z), sharp=60).matrix_world = m @ P.move(0, 0, .06)
    bpy.context.view_layer.update()
    P.to_ground([o for o in P.scene_objects()])


def kolusu():
    """A silver rope with a fringe of little bells, as on an anklet, closed with a hook."""
    silver = studio.silver(); w, l = 2.75, 2.45
    path = F.Path([(w * math.sin(a), -l * math.cos(a), 0) for a in [math.tau * k / 240 for k in range(240)]])
    gap = .42; L = path.length  # the ends stop short of each other at the back
    open_points = lambda z, inset=0.0, n=320: [((p := path.at(s)) - path.tangent(s).cross(Z) * inset + Z * z)[:] for s in [-L / 2 + gap + (L - 2 * gap) * k / n for k in range(n + 1)]]
    P.rope(open_points(.12), .12, silver, strands=3, pitch=.62)
    P.beads_along(open_points(.07, .175), .058, silver, .002)
    P.beads_along(open_points(.06, -.165), .05, silver, .002)
    # a bell: round, with a slot and a belt
    def slot(r, z, a):
        cut = .030 if abs(z) < .2 else 0
        return (r, z) if z > -.04 or abs(r * math.sin(a)) > cut else (r * .62, z * .86)
    body = [(.132 * math.sin(t), -.132 * math.cos(t)) for t in np.linspace(0, math.pi, 34)]
    bell = F.lathe(body, silver, 96, carve=slot, sharp=50); belt = F.torus(.133, .014, silver, 48, 10)
    loop = F.torus(.045, .016, silver, 24, 10); loop.matrix_basis = F.move(0, 0, .165) @ F.turn(90, "X")
    jump = F.torus(.06, .018, silver, 24, 10); jump.matrix_basis = F.move(0, 0, .235)  @ F.turn(90, "Y")
    spots = []; stations = [-L / 2 + gap + .25 + (L - 2 * gap - .5) * k / 35 for k in range(36)]
    for i, s in enumerate(stations):
        out = path.tangent(s).cross(Z)
        spots.append(F.frame(path.at(s) + out * .47 + Z * .135, path.tangent(s) + Z * .6 * math.sin(i * 2.4), -out + path.tangent(s) * .16 * math.sin(i * 4.7)))
    F.place([bell, belt, loop, jump], *spots)
    # caps, ring and hook at the back
    for way in (1, -1):
        s = way * (L / 2 - gap); t = path.tangent(s) * way
        P.lathe([(0, -.16), (.15, -.16), (.165, -.13), (.15, -.08), (.165, -.03), (.14, .04), (.07, .10), (0, .11)], silver, 48, P.frame(path.at(s) + Z * .155, t, Z))
    left, right = path.at(-(L / 2 - gap)), path.at(L / 2 - gap)
    F.torus(.17, .034, silver, 48, 12).matrix_world = P.move(left.x + .27, left.y + .02, .06)
    hook = [(right.x - .08, right.y, .12), (right.x - .26, right.y + .03, .10), (right.x - .40, right.y + .13, .08), (right.x - .47, right.y + .02, .08), (right.x - .36, right.y - .09, .09), (right.x - .28, right.y - .06, .11)]
    P.tube(P.spline(hook, 10), .036, silver, segments=12)
    P.ball(.05, silver, hook[-1])
    bpy.context.view_layer.update()


# --- earrings ----------------------------------------------------------------------------------------

def thodu():
    """Seven-stone studs: six brilliants round one, in closed gold collars; lying face up."""
    gold, white = studio.gold(), studio.white_stone(); d = .44; reach = .485
    def stud(head):
        def setting(at):
            head.append(P.brilliant(d, white, at @ P.move(0, 0, .21)))
            head.append(P.bezel(P.oval(d, d, 56), .225, gold, .030, .012, at, floor=False))
        setting(P.move(0, 0, .07))
        for k in range(6):
            setting(P.turn(60 * k) @ P.move(0, reach, 0) @ P.turn(-7, "X"))
            head.append(P.instance(P.ball_mesh(.052, gold, 20), P.turn(60 * k + 30) @ P.move(0, .287, .27)))
            head.append(P.instance(P.ball_mesh(.060, gold, 20), P.turn(60 * k + 30) @ P.move(0, .645, .16)))
        head.append(P.lathe([(0, -.03), (.58, -.03), (.66, 0), (.66, .05), (.5, .06), (0, .06)], gold, 96))
        P.stud_back(gold, .95, P.move(0, 0, -.03))
    for x, y, turn in ((-.92, -.25, -16), (.90, .32, 22)):
        head = []; objects = P.group(lambda: stud(head))
        P.settle(objects, head, 0, 60)
        P.shift(objects, P.move(x, y, 0) @ P.turn(turn))


# --- rings -------------------------------------------------------------------------------------------

def vanki():
    """A V-shaped ring: a row of white stones between lines of grains, dipping to a red drop."""
    r = sibling("rings"); gold, white = studio.gold(), studio.white_stone(); head = []
    def dip(d):
        d = (d + 180) % 360 - 180; t = abs(d) / 66
        return .92 * (math.sqrt((1 - t) ** 2 + .004) if t < 1 else .063 / (1 + 12 * (t - 1)))
    def wide(d): return .20 + .20 * max(0, math.cos(math.radians(d))) ** 1.5
    def build():
        r.shank(lambda d: r.cushion_section(wide(d), .13, 2.8, .2), gold, sway=dip, steps=360)
        R = r.INNER + .13
        def spot(d, across=0.0, out=0.0):
            slope = (dip(d + 1) - dip(d - 1)) / (2 * math.radians(1) * R); n = 1 / math.sqrt(1 + slope * slope)
            f = r.on_top(d, R + out, dip(d) + across * n)
            return f @ P.move(-across * slope * n, 0, 0) @ P.turn(math.degrees(math.atan(slope)))
        for side in (-1, 1):
            for k in range(7):
                d = side * (13.5 + 7.9 * k); size = .165 - .006 * k
                head.append(P.brilliant(size, white, spot(d, 0, .045)))
                head.append(P.bezel(P.oval(size, size, 36), .075, gold, .018, .006, spot(d, 0, -.02), floor=False))
        for across in (-1, 1):
            line = [spot(d, across * (wide(d) / 2 - .03) * 1.02, -.012).translation[:] for d in np.linspace(-68, 68, 160)]
            head.extend(P.beads_along(line, .028, gold, .001, segments=14))
        tip = P.frame((0, dip(0) - .06, R + .03), (0, .06, 1), (1, 0, 0))
        head.extend(P.collet(P.drop(.34, .50, .8, 56), .15, gold, studio.kemp(), tip, .028, .024, .95))
        P.ball(.055, gold, tip @ Vector((0, .37, .04)), 24)
    r.stand(P.group(build), turn=14, lean=82)


# --- watches -----------------------------------------------------------------------------------------

def tank():
    w = sibling("watches"); gold = studio.gold(); W, L = 1.12, 1.46  # half the case, between the side bars
    def rect(a, b, radius=.12): return F.fillet([(-a, -b), (a, -b), (a, b), (-a, b)], radius, 5)
    F.loft(rect(W, L), [(-.10, -.40), (-.02, -.34), (0, -.26), (0, .10), (-.3, .10)], gold, sharp=50)
    dial = studio.material("opaline dial", (.80, .76, .68), 0, .36, Clearcoat=.2)
    F.loft(rect(W - .06, L - .06, .06), [(0, .12), (0, .158)], dial, sharp=40)
    F.loft(rect(W, L), [(-.13, .15), (0, .15), (.0, .26), (-.03, .315), (-.075, .325), (-.115, .29), (-.13, .2)], gold, ring=True, sharp=60)
    F.cabochon(rect(W - .11, L - .11, .06), .035, studio.crystal(), rings=6, power=.4).matrix_world = F.move(0, 0, .265)
    # the side bars reach past the case and hold the strap
    side = F.fillet([(-1.98, -.40), (-1.90, -.46), (1.90, -.46), (1.98, -.40), (2.00, -.12), (1.86, .20), (1.60, .30), (-1.60, .30), (-1.86, .20), (-2.00, -.12)], .10, 5)
    bar = F.loft([Vector((p.x, p.y)) for p in side], [(-.07, 0), (-.02, .02), (0, .07), (0, .23), (-.02, .28), (-.07, .30)], gold, sharp=50)
    F.place(bar, *[F.frame((x, 0, 0), (0, 1, 0), (1, 0, 0)) for x in (W - .03, -W - .27)])
    pin = (1.67, -.20)
    for sign in (1, -1): F.wire([(-W, pin[0] * sign, pin[1]), (W, pin[0] * sign, pin[1])], .05, gold)
    # dial: Roman hours round the edge, a railway track, blued hands
    ink, blue = w.flat("ink black", (.012, .012, .014)), studio.material("blued steel", (.012, .03, .22), 1, .22)
    a, b = W - .32, L - .34
    def edge(t, a, b):  # where the ray at t degrees from twelve meets the rectangle
        s, c = math.sin(math.radians(t)), math.cos(math.radians(t)); k = min(a / abs(s) if abs(s) > 1e-6 else 9, b / abs(c) if abs(c) > 1e-6 else 9)
        return k * s, k * c
    for k, numeral in enumerate(("XII", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "IX", "X", "XI")):
        x, y = edge(30 * k, a, b); up = 0 if k in (11, 0, 1, 5, 6, 7) else None
        turn = (180 if k in (5, 6, 7) else 0) if up == 0 else (-90 if k in (2, 3, 4) else 90)
        if k in (1, 11): turn = -14 if k == 1 else 14
        if k in (5, 7): turn = 180 + (14 if k == 5 else -14)
        glyph = F.lettering(numeral, .27, ink, F.move(x, y, .160) @ F.turn(turn, "Z") @ F.scaled(.80, 1.25, 1), .003)
        glyph.data.space_character = 1.0; glyph.data.offset = .004
    for a2, b2 in ((.56, .88), (.485, .805)):
        F.loft(rect(a2, b2, .02), [(-.006, .158), (.006, .158), (.006, .163), (-.006, .163)], ink, ring=True, sharp=50)
    tick = F.block(.013, .075, .004, .002, ink); spots = []
    for k in range(60):
        x, y = edge(6 * k, .5225, .8425); side_on = abs(abs(x) - .5225) < 1e-4
        spots.append(F.move(x, y, .158) @ F.turn(90 if side_on else 0, "Z") @ F.scaled(2.2 if k % 5 == 0 else 1, 1, 1))
    F.place(tick, *spots)
    w.lettering("KASAVU", .115, ink, F.move(0, .46, .160), .003)
    w.hand(.50, .13, blue, 50.8, .20, .14, .16); w.hand(.80, .11, blue, 9, .232, .16, .18)
    w.pinion(gold, .16, .6, .275)
    w.crown(W + .29, gold, size=.62, length=.18)
    F.sphere(.105, studio.sapphire(), rings=16, steps=32).matrix_world = F.move(W + .49, 0, -.02)
    w.leather_strap(pin, 2.06, studio.leather("oxblood", (.115, .010, .014)), w.flat("oxblood thread", (.20, .03, .03), .8), gold, .26)
    w.pose(26)


PIECES = {
    "necklace-nagapadam": (nagapadam, [{"azimuth": 6, "elevation": 64, "fill": .93}, {"azimuth": -14, "elevation": 42, "fill": 2.05, "shift_down": .5}]),
    "bracelet-kappu": (kappu, [{"azimuth": 16, "elevation": 27, "fill": 1.12}, {"azimuth": -12, "elevation": 18, "fill": 1.75}]),
    "bracelet-kolusu": (kolusu, [{"azimuth": 10, "elevation": 54, "fill": 1.0}, {"azimuth": -20, "elevation": 34, "fill": 1.8, "shift_down": .3}]),
    "earrings-thodu": (thodu, [{"azimuth": 0, "elevation": 46, "fill": 1.0}, {"azimuth": 30, "elevation": 34, "fill": 1.1, "shift_down": .05}]),
    "ring-vanki": (vanki, [{"azimuth": 0, "elevation": 25, "fill": .94}, {"azimuth": 36, "elevation": 34, "fill": 1.06}]),
    "watch-tank": (tank, [{"azimuth": 18, "elevation": 28, "fill": 1.0}, {"azimuth": -28, "elevation": 38, "fill": 1.2}]),
}
