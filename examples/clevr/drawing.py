"""Pictures of CLEVR, drawn by Blender from the official scene, shapes and materials, with the truth beside them.

    python examples/clevr/drawing.py FOLDER --pictures 3000 --seed 1

takes `pip install 'bpy==5.0.*' 'numpy<2'` in an environment of its own, of Python 3.11, with PYTHONPATH on this
checkout. It goes on where it was stopped.
"""

import argparse
import json
import math
import os
import random
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from numpy.typing import NDArray

from examples.clevr.arranging import COLOURS, PROCEDURE, SHAPES, SIDES, Thing, arrange, relations
from examples.clevr.assets import assets
from predinet_prolog.domains.detections.clevr import PREFIX
from predinet_prolog.domains.writing import write_atomically

MODELS = {"cube": "SmoothCube_v2", "sphere": "Sphere", "cylinder": "SmoothCylinder"}
GROUPS = {"rubber": "Rubber", "metal": "MyMetal"}
SHAKES = {"Camera": 0.5, "Lamp_Key": 1.0, "Lamp_Back": 1.0, "Lamp_Fill": 1.0}
"""How far each is moved along every axis, at most."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draws what is missing of the pictures, and writes FOLDER/scenes.json of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=1000)
    parser.add_argument("--fewest", type=int, default=PROCEDURE.fewest, help="things in a picture")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--width", type=int, default=480, help="of a picture in pixels; its height is two thirds")
    parser.add_argument("--samples", type=int, default=24, help="of light, for each pixel")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--colours", type=Path, help="JSON: the colours each shape may have, as CoGenT_A.json")
    options = parser.parse_args(arguments)
    colours = json.loads(options.colours.read_text()) if options.colours else dict.fromkeys(SHAPES, COLOURS)
    properties = json.loads((assets() / "properties.json").read_text())
    (options.folder / "images").mkdir(parents=True, exist_ok=True)
    for index in range(options.pictures):
        truth = options.folder / "truth" / f"{index:06d}.json"
        if not truth.exists():
            studio = Studio(assets(), options, random.Random(f"clevr/{options.seed}/{index}"), properties)
            name = f"{PREFIX}new_{index:06d}.png"
            origin = {"split": "new", "image_index": index, "image_filename": name}
            scene = origin | studio.draw(options.folder / "images" / name, colours)
            write_atomically(truth, json.dumps(scene).encode())
    scenes = [json.loads(path.read_text()) for path in sorted((options.folder / "truth").glob("*.json"))]
    write_atomically(options.folder / "scenes.json", json.dumps({"info": {"split": "new"}, "scenes": scenes}).encode())


class Studio:
    """The official scene with camera and lamps shaken, for one picture."""

    def __init__(self, content: Path, options: argparse.Namespace, rng: random.Random, properties: Any) -> None:
        self._content, self._rng, self._properties, self._fewest = content, rng, properties, options.fewest
        bpy.ops.wm.open_mainfile(filepath=str(content / "base_scene.blend"))
        for group in GROUPS.values():
            bpy.ops.wm.append(filename=group, directory=f"{content / 'materials' / group}.blend/NodeTree/")
        self._meshes = {}  # shared by all things of a shape, which spares the most of what Blender prepares
        for shape, model in MODELS.items():
            bpy.ops.wm.append(filename=model, directory=f"{content / 'shapes' / model}.blend/Object/")
            self._meshes[shape] = bpy.data.objects[model].data
            self._meshes[shape].materials.clear()
            self._meshes[shape].materials.append(None)  # a slot, that every thing fills with a material of its own
            bpy.data.objects.remove(bpy.data.objects[model])
        self._scene = bpy.context.scene
        render = self._scene.render
        render.resolution_x, render.resolution_y = options.width, options.width * 2 // 3
        render.resolution_percentage = 100
        render.image_settings.file_format = "PNG"
        render.threads_mode, render.threads = "FIXED", options.threads
        cycles = self._scene.cycles
        cycles.device, cycles.samples, cycles.use_denoising, cycles.blur_glossy = "CPU", options.samples, True, 2.0
        self._camera = bpy.data.objects["Camera"]
        for name, size in SHAKES.items():
            for axis in range(3):
                bpy.data.objects[name].location[axis] += rng.uniform(-size, size)
        bpy.context.view_layer.update()

    def draw(self, path: Path, colours: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """Draws a picture in which every thing can be seen; its scene, as CLEVR writes it."""
        directions = self._directions()
        while True:
            things = arrange(self._rng, directions, colours, self._fewest)
            objects = [self._stood(thing) for thing in things]
            bpy.context.view_layer.update()
            numbers = self._shown(objects)
            masks = [numbers == number for number in range(len(things))]
            if all(mask.mean() >= PROCEDURE.visible for mask in masks):
                break
            for made in objects:
                bpy.data.objects.remove(made, do_unlink=True)
        self._scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        return {
            "objects": [self._truth(thing, mask) for thing, mask in zip(things, masks, strict=True)],
            "directions": directions,
            "relationships": relations([thing.middle for thing in things], directions),
        }

    def _directions(self) -> dict[str, tuple[float, ...]]:
        """The sides on the ground, as the camera sees them."""
        turn = self._camera.matrix_world.to_quaternion()
        upright = Vector((0, 0, 1))

        def flat(way: tuple[int, int, int]) -> Any:
            tilted = turn @ Vector(way)
            return (tilted - tilted.project(upright)).normalized()

        left, behind = flat((-1, 0, 0)), flat((0, 0, -1))
        return {side: tuple(way) for side, way in zip(SIDES, (left, -left, -behind, behind), strict=True)}

    def _stood(self, thing: Thing) -> Any:
        """The thing as Blender's object, of its material, in its place."""
        made = bpy.data.objects.new(thing.shape, self._meshes[thing.shape])
        self._scene.collection.objects.link(made)
        made.rotation_mode = "XYZ"
        made.rotation_euler[2] = math.radians(thing.rotation)
        made.scale = (thing.middle[2],) * 3
        made.location = thing.middle
        material = bpy.data.materials.new(thing.material)
        material.use_nodes = True
        tree = material.node_tree
        node = tree.nodes.new("ShaderNodeGroup")
        node.node_tree = bpy.data.node_groups[GROUPS[thing.material]]
        node.inputs["Color"].default_value = [*(part / 255 for part in self._properties["colors"][thing.color]), 1]
        (out,) = (node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
        tree.links.new(node.outputs["Shader"], out.inputs["Surface"])
        made.material_slots[0].link = "OBJECT"
        made.material_slots[0].material = material
        return made

    def _shown(self, objects: Sequence[Any]) -> NDArray[np.int64]:
        """(height, width): the number of the thing that each pixel's middle shows, -1 where none is."""
        render, graph = self._scene.render, bpy.context.evaluated_depsgraph_get()
        width, height = render.resolution_x, render.resolution_y
        place = self._camera.matrix_world
        right_top, _, left_low, left_top = (
            place @ corner for corner in self._camera.data.view_frame(scene=self._scene)
        )
        across, down = (right_top - left_top) / width, (left_low - left_top) / height
        near = np.zeros((height, width), dtype=np.bool_)
        for made in objects:
            corners = [
                world_to_camera_view(self._scene, self._camera, made.matrix_world @ Vector(corner))
                for corner in made.bound_box
            ]
            columns, rows = [corner.x * width for corner in corners], [(1 - corner.y) * height for corner in corners]
            near[max(int(min(rows)), 0) : int(max(rows)) + 2, max(int(min(columns)), 0) : int(max(columns)) + 2] = True
        numbers = {made.name: number for number, made in enumerate(objects)}
        picture = np.full((height, width), -1)
        for row, column in np.argwhere(near):
            towards = left_top + down * (row + 0.5) + across * (column + 0.5) - place.translation
            hit, *_, made, _ = self._scene.ray_cast(graph, place.translation, towards)
            if hit:
                picture[row, column] = numbers.get(made.name, -1)
        return picture

    def _truth(self, thing: Thing, mask: NDArray[np.bool_]) -> dict[str, Any]:
        view = world_to_camera_view(self._scene, self._camera, Vector(thing.middle))
        height, width = mask.shape
        ys, xs = np.nonzero(mask)
        return {
            **{name: getattr(thing, name) for name in ("shape", "size", "material", "color", "rotation")},
            "3d_coords": thing.middle,
            "pixel_coords": [view.x * width, height - view.y * height, view.z],
            "bbox": [int(n) for n in (xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1)],
            "mask": {"size": [height, width], "counts": runs(mask)},
        }


def runs(mask: NDArray[np.bool_]) -> list[int]:
    """COCO's runs down the columns, zeros first."""
    flat = mask.T.ravel().tolist()
    lengths = [len(list(group)) for _, group in groupby(flat)]
    return [0, *lengths] if flat[0] else lengths


if __name__ == "__main__":
    main()
