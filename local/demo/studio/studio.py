"""The photo studio: one light, one ground, one camera for every product picture.

Run inside Blender (3.4 or newer, headless): `blender -b --python render.py -- NAME [--preview] [--out DIR]`.
Units: 1 Blender unit is 1 cm. z is up, the ground is z = 0. A model is a function that adds objects to the
scene and returns nothing; `shoot` frames whatever it added.
"""
import math
import bpy
from mathutils import Vector

WALL = (2.0, 34.0, 0.0, 0.55)  # where the wall's own glow starts and ends (y + z, cm), and its strength at both
SPARKLE = 3.5  # brightness of the windows that clear stones see
PAPER = (0.93, 0.872, 0.775)  # linear; a warm off-white, like unbleached cotton


# --- materials -------------------------------------------------------------------------------------

def material(name, color, metallic=0.0, roughness=0.5, transmission=0.0, ior=1.45, **inputs):
    """A Principled material by name; asking twice gives the same one."""
    if name in bpy.data.materials:
        return bpy.data.materials[name]
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    values = {"Base Color": (*color, 1), "Metallic": metallic, "Roughness": roughness,
              "Transmission": transmission, "IOR": ior, **inputs}
    for key, value in values.items():
        bsdf.inputs[key].default_value = value
    return mat


def gold():      return material("gold", (1.00, 0.68, 0.25), 1, 0.14)
def antique():   return material("antique gold", (0.83, 0.52, 0.17), 1, 0.30)
def rose_gold(): return material("rose gold", (0.98, 0.58, 0.45), 1, 0.14)
def silver():    return material("silver", (0.92, 0.91, 0.90), 1, 0.12)
def steel():     return material("steel", (0.62, 0.62, 0.64), 1, 0.26)
def diamond():   return clear("diamond", 2.3)
def ruby():      return material("ruby", (0.62, 0.015, 0.06), 0, 0.02, 0.85, 1.77)
def emerald():   return material("emerald", (0.01, 0.34, 0.13), 0, 0.03, 0.8, 1.58)
def sapphire():  return material("sapphire", (0.02, 0.07, 0.48), 0, 0.02, 0.8, 1.77)
def pearl():     return material("pearl", (0.93, 0.88, 0.82), 0.0, 0.22, Specular=0.7, Sheen=0.3, Clearcoat=0.6)
def enamel(name, color): return material(f"enamel {name}", color, 0, 0.18, Clearcoat=1.0)
def leather(name, color): return material(f"leather {name}", color, 0, 0.62, Sheen=0.2)
def palakka():   return material("palakka green", (0.006, 0.20, 0.065), 0, 0.06, 0.55, 1.52, Clearcoat=1.0)
def kemp():      return material("kemp red", (0.45, 0.008, 0.03), 0, 0.05, 0.6, 1.6, Clearcoat=1.0)
def brass():     return material("brass", (0.78, 0.60, 0.30), 1, 0.34)
def blue_stone(): return material("blue stone", (0.05, 0.15, 0.72), 0, 0.0, 1, 1.62, **{"Emission": (0.04, 0.12, 0.8, 1), "Emission Strength": 0.010})
def white_stone(): return clear("white stone", 2.2)
def satin_gold(): return material("satin gold", (1.00, 0.68, 0.27), 1, 0.30)

def clear(name, ior):
    """A clear stone: glass alone; what it sees above is in build_set (the windows)."""
    if name in bpy.data.materials:
        return bpy.data.materials[name]
    mat = bpy.data.materials.new(name); mat.use_nodes = True; tree = mat.node_tree; tree.nodes.clear()
    glass, out = tree.nodes.new("ShaderNodeBsdfGlass"), tree.nodes.new("ShaderNodeOutputMaterial")
    glass.inputs["IOR"].default_value = ior; glass.inputs["Roughness"].default_value = 0
    tree.links.new(glass.outputs[0], out.inputs[0])
    return mat


def nacre(name="white", body=(0.79, 0.68, 0.57), sheen=(0.88, 0.75, 0.70)):
    """A lustrous pearl: a warm body that mirrors a little, pinker towards its rim, under a clear coat."""
    made = f"nacre {name}" in bpy.data.materials
    mat = material(f"nacre {name}", body, 0.26, 0.18, Specular=0.6, Clearcoat=1.0, **{"Clearcoat Roughness": 0.08})
    if not made:
        nodes, links = mat.node_tree.nodes, mat.node_tree.links
        facing = nodes.new("ShaderNodeLayerWeight"); facing.inputs["Blend"].default_value = 0.35
        mix = nodes.new("ShaderNodeMixRGB"); mix.inputs[1].default_value = (*body, 1); mix.inputs[2].default_value = (*sheen, 1)
        links.new(facing.outputs["Facing"], mix.inputs[0]); links.new(mix.outputs[0], nodes["Principled BSDF"].inputs["Base Color"])
    return mat


def freshwater():
    """A lustrous cream pearl: part mirror, deeper and rosier towards its edge."""
    fresh = "freshwater pearl" not in bpy.data.materials
    mat = material("freshwater pearl", (0.8, 0.7, 0.58), 0.38, 0.24, Specular=0.7, Clearcoat=1.0, **{"Clearcoat Roughness": 0.05})
    if fresh:
        tree = mat.node_tree
        facing = tree.nodes.new("ShaderNodeLayerWeight"); facing.inputs["Blend"].default_value = 0.4
        ramp = tree.nodes.new("ShaderNodeValToRGB")
        ramp.color_ramp.elements[0].color = (0.86, 0.72, 0.56, 1); ramp.color_ramp.elements[1].color = (0.62, 0.40, 0.33, 1)
        tree.links.new(facing.outputs["Facing"], ramp.inputs[0])
        tree.links.new(ramp.outputs[0], tree.nodes["Principled BSDF"].inputs["Base Color"])
    return mat


def crystal():
    """Thin watch glass: clear, a fresnel reflection, no shadow on the dial."""
    if "crystal" in bpy.data.materials:
        return bpy.data.materials["crystal"]
    mat = bpy.data.materials.new("crystal"); mat.use_nodes = True; tree = mat.node_tree; tree.nodes.clear()
    clear, gloss = tree.nodes.new("ShaderNodeBsdfTransparent"), tree.nodes.new("ShaderNodeBsdfGlossy")
    fresnel, mix, out = tree.nodes.new("ShaderNodeFresnel"), tree.nodes.new("ShaderNodeMixShader"), tree.nodes.new("ShaderNodeOutputMaterial")
    gloss.inputs["Roughness"].default_value = 0.02; fresnel.inputs["IOR"].default_value = 1.25
    tree.links.new(fresnel.outputs[0], mix.inputs[0]); tree.links.new(clear.outputs[0], mix.inputs[1]); tree.links.new(gloss.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], out.inputs[0])
    return mat


def sunray(name, color, roughness=0.3):
    """A brushed dial that flares round its middle."""
    fresh = f"sunray {name}" not in bpy.data.materials
    mat = material(f"sunray {name}", color, 1, roughness, Anisotropic=0.8, Clearcoat=0.3)
    if fresh:
        tangent = mat.node_tree.nodes.new("ShaderNodeTangent"); tangent.direction_type = "RADIAL"; tangent.axis = "Z"
        mat.node_tree.links.new(tangent.outputs[0], mat.node_tree.nodes["Principled BSDF"].inputs["Tangent"])
    return mat


def paper():
    """The sweep's paper. Far back and up the wall, where the lights fall off, it shines a little for the camera alone, so
    that ground and wall have one colour at every elevation and nothing in the picture is lit by it."""
    fresh = "paper" not in bpy.data.materials
    mat = material("paper", PAPER, 0, 0.75)
    if fresh:
        tree = mat.node_tree; nodes, links = tree.nodes, tree.links
        place = nodes.new("ShaderNodeNewGeometry"); xyz = nodes.new("ShaderNodeSeparateXYZ")
        links.new(place.outputs["Position"], xyz.inputs[0])
        far = nodes.new("ShaderNodeMath"); far.operation = "ADD"  # y + z: one measure along the floor and up the wall
        links.new(xyz.outputs["Y"], far.inputs[0]); links.new(xyz.outputs["Z"], far.inputs[1])
        ramp = nodes.new("ShaderNodeMapRange"); ramp.interpolation_type = "SMOOTHSTEP"
        for key, value in zip(("From Min", "From Max", "To Min", "To Max"), WALL): ramp.inputs[key].default_value = value
        links.new(far.outputs[0], ramp.inputs["Value"])
        path = nodes.new("ShaderNodeLightPath"); seen = nodes.new("ShaderNodeMath"); seen.operation = "MULTIPLY"
        links.new(ramp.outputs["Result"], seen.inputs[0]); links.new(path.outputs["Is Camera Ray"], seen.inputs[1])
        bsdf = nodes["Principled BSDF"]; bsdf.inputs["Emission"].default_value = (*PAPER, 1)
        links.new(seen.outputs[0], bsdf.inputs["Emission Strength"])
    return mat


# --- the set ---------------------------------------------------------------------------------------

def build_set():
    """An empty scene with a seamless paper sweep, three soft lights and a dark card for metal edges."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    # the sweep: floor, quarter round, wall
    verts, faces, rows = [], [], []
    profile = [(-60, 0)] + [(18 + 10 * math.sin(a), 10 - 10 * math.cos(a)) for a in [i * math.pi / 2 / 16 for i in range(17)]] + [(28, 60)]
    for y, z in profile:
        rows.append(len(verts)); verts += [(-80, y, z), (80, y, z)]
    for a, b in zip(rows, rows[1:]):
        faces.append((a, a + 1, b + 1, b))
    mesh = bpy.data.meshes.new("sweep"); mesh.from_pydata(verts, [], faces)
    sweep = bpy.data.objects.new("sweep", mesh); scene.collection.objects.link(sweep)
    for poly in mesh.polygons: poly.use_smooth = True
    sweep.data.materials.append(paper())
    sweep["set"] = True
    def area(name, loc, target, energy, size, color=(1, 1, 1)):
        light = bpy.data.lights.new(name, "AREA"); light.energy = energy; light.size = size; light.color = color
        obj = bpy.data.objects.new(name, light); obj.location = loc; obj["set"] = True
        obj.rotation_euler = (Vector(target) - Vector(loc)).to_track_quat("-Z", "Y").to_euler()
        scene.collection.objects.link(obj)
    area("key", (-9, -7, 14), (0, 0, 1), 2700, 5, (1.0, 0.95, 0.88))
    area("fill", (12, -6, 8), (0, 0, 1), 520, 10, (0.96, 0.98, 1.0))
    area("rim", (3, 12, 12), (0, 0, 1), 1300, 6)
    card = bpy.data.meshes.new("card"); card.from_pydata([(-7, -16, 0), (7, -16, 0), (7, -16, 5), (-7, -16, 5)], [], [(0, 1, 2, 3)])
    obj = bpy.data.objects.new("card", card); obj["set"] = True; obj.data.materials.append(material("black card", (0.01, 0.01, 0.01), 0, 0.9))
    obj.visible_camera = False; scene.collection.objects.link(obj)
    world = bpy.data.worlds.new("world"); scene.world = world; world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs[0].default_value = (0.95, 0.93, 0.90, 1); background.inputs[1].default_value = 0.2
    # what a clear stone sees when it looks up: small bright windows in a dim room (only rays that have passed through glass)
    tree = world.node_tree; nodes, links = tree.nodes, tree.links
    where = nodes.new("ShaderNodeTexCoord"); cells = nodes.new("ShaderNodeTexVoronoi"); cells.inputs["Scale"].default_value = 5.0
    links.new(where.outputs["Generated"], cells.inputs["Vector"])
    step = nodes.new("ShaderNodeValToRGB"); step.color_ramp.interpolation = "EASE"
    step.color_ramp.elements[0].position = 0.22; step.color_ramp.elements[0].color = (1, 1, 1, 1)
    step.color_ramp.elements[1].position = 0.40; step.color_ramp.elements[1].color = (0.12, 0.12, 0.12, 1)
    links.new(cells.outputs["Distance"], step.inputs[0])
    windows = nodes.new("ShaderNodeBackground"); windows.inputs[1].default_value = SPARKLE; 
    tint = nodes.new("ShaderNodeMixRGB"); tint.inputs[0].default_value = 0.28; tint.inputs[1].default_value = (1, 1, 1, 1)  # the fire
    links.new(cells.outputs["Color"], tint.inputs[2])
    shine = nodes.new("ShaderNodeMixRGB"); shine.blend_type = "MULTIPLY"; shine.inputs[0].default_value = 1
    links.new(step.outputs[0], shine.inputs[1]); links.new(tint.outputs[0], shine.inputs[2]); links.new(shine.outputs[0], windows.inputs[0])
    path, mix = nodes.new("ShaderNodeLightPath"), nodes.new("ShaderNodeMixShader")
    links.new(path.outputs["Is Transmission Ray"], mix.inputs[0]); links.new(background.outputs[0], mix.inputs[1]); links.new(windows.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], nodes["World Output"].inputs[0])
    return scene


def product_bounds():
    """Corner points, in world space, of everything that is not the set."""
    points = []
    for obj in bpy.context.scene.objects:
        if obj.get("set") or obj.type not in {"MESH", "CURVE", "FONT", "SURFACE", "META"} or obj.hide_render:
            continue
        points += [obj.matrix_world @ Vector(corner) for corner in obj.bound_box]
    return points


def shoot(path, azimuth=20, elevation=22, fill=0.74, lens=85, size=900, samples=128, shift_down=0.0, aim=None, span=None, fstop=16):
    """Frame the product so that it fills `fill` of the picture, and render it to `path` (PNG). size: pixels, a number
    (square) or (width, height).

    azimuth and elevation are degrees (0, 0 looks along +y from the front). For an arrangement give `aim`, the point in
    the middle of the picture, and `span`, the width in cm that the picture shows there.
    """
    width, height = size if isinstance(size, (tuple, list)) else (size, size)
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    points = product_bounds() or [Vector(aim)]
    centre = sum(points, Vector()) / len(points)
    low = Vector(map(min, zip(*points))); high = Vector(map(max, zip(*points))); centre = (low + high) / 2
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera")); scene.collection.objects.link(camera)
    camera.data.lens = lens; camera.data.sensor_width = 36; camera.data.clip_end = 500
    a, e = math.radians(azimuth), math.radians(elevation)
    direction = Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))
    rotation = (-direction).to_track_quat("-Z", "Y")
    camera.rotation_euler = rotation.to_euler()
    right, up = rotation @ Vector((1, 0, 0)), rotation @ Vector((0, 1, 0))
    spread = max(max(abs((p - centre).dot(right)) for p in points), max(abs((p - centre).dot(up)) for p in points))
    half_angle = math.atan(18 / lens)
    distance = spread / fill / math.tan(half_angle) + max(abs((p - centre).dot(direction)) for p in points)
    focus = distance - spread * 0.25
    if aim is not None:
        centre, spread = Vector(aim), 0
        distance = focus = span / 2 / math.tan(half_angle)
        camera.data.sensor_fit = "HORIZONTAL"
    camera.location = centre + direction * distance - up * shift_down * spread
    camera.data.dof.use_dof = True; camera.data.dof.focus_distance = focus; camera.data.dof.aperture_fstop = fstop
    scene.camera = camera
    scene.render.engine = "CYCLES"; scene.cycles.device = "CPU"
    scene.cycles.samples = samples; scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = True; scene.cycles.adaptive_threshold = 0.03
    scene.cycles.max_bounces = 16; scene.cycles.transmission_bounces = 14; scene.cycles.caustics_refractive = False; scene.cycles.caustics_reflective = False
    scene.cycles.sample_clamp_indirect = 4
    scene.render.resolution_x, scene.render.resolution_y = width, height; scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "Filmic"; scene.view_settings.look = "Medium High Contrast"; scene.view_settings.exposure = 0.25
    scene.render.image_settings.file_format = "PNG"; scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    bpy.data.objects.remove(camera)
