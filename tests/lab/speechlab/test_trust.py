"""Which clips are trusted: each is judged by its first copy, whatever the number of copies."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

if any(importlib.util.find_spec(name) is None for name in ("torch", "kaldi_native_fbank")):
    pytest.skip("needs the train extra", allow_module_level=True)

import torch

from scripts.lab.speechlab import batches, features, lfmmi, net, recipe, trust

BIGRAM = lfmmi.Bigram(torch.full((26, 26), -3.0), torch.full((26,), -3.0))


def _store(folder: Path, rows: list[features.Transcript]) -> features.FeatureStore:
    rng = np.random.default_rng(1)
    frames = [rng.normal(0, 20, (90, features.CEPSTRA)).astype(np.float16) for _ in rows]
    features.write(folder / "features-x", zip(rows, frames, strict=True))
    return features.FeatureStore(folder / "features-x")


@pytest.fixture
def learnt() -> net.Net:
    torch.manual_seed(1)
    return net.Net(recipe.NetSize())


@pytest.mark.parametrize("copies", [1, 3])
def test_all_copies_of_a_clip_are_kept_or_dropped_with_the_first(
    tmp_path: Path, learnt: net.Net, monkeypatch: pytest.MonkeyPatch, copies: int
) -> None:
    rows = [features.Transcript("paso", "a", False, clip) for clip in (0, 1) for _ in range(copies)]
    store = _store(tmp_path, [*rows, features.Transcript("", "nobody", False, -1)])
    judged_by: list[int] = []

    def losses(_: net.Net, group: list[batches.Utterance], __: lfmmi.Bigram) -> list[float]:
        judged_by.extend(one.index for one in group)
        return [90.0 if one.index == 0 else -1.0 for one in group]

    monkeypatch.setattr(trust, "_losses", losses)
    judged = trust.judge(learnt, store, BIGRAM)
    assert judged_by == [0, copies]
    assert judged.refused == 1
    assert [one.index for one in judged.kept] == [*range(copies, 2 * copies), 2 * copies]


def test_whether_a_voice_has_seseo_is_measured_only_where_it_is_unknown(
    tmp_path: Path, learnt: net.Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [features.Transcript("doce", voice, says_s, at)
             for at, (voice, says_s) in enumerate((("a", True), ("b", False)))]  # fmt: skip
    store = _store(tmp_path, [*known, features.Transcript("doce", "c", None, 2)])
    monkeypatch.setattr(trust, "WORST_LOSS", 1e9)
    judged = trust.judge(learnt, store, BIGRAM)
    assert judged.seseo.keys() == {"c"}
    said = {one.voice: one.phones for one in judged.kept}
    assert said["a"] == batches.phone_string("doce", True)[0]
    assert said["b"] == batches.phone_string("doce", False)[0]


def test_a_clip_gets_the_same_loss_alone_and_in_a_group(tmp_path: Path, learnt: net.Net) -> None:
    texts = ("paso", "no hay mus", "envido")
    store = _store(tmp_path, [features.Transcript(text, "a", False, at)
                              for at, text in enumerate(texts)])  # fmt: skip
    made = [batches.utterance(store, index, False) for index in range(3)]
    group = [one for one in made if one is not None]
    together = trust._losses(learnt, group, BIGRAM)
    alone = [trust._losses(learnt, [one], BIGRAM)[0] for one in group]
    np.testing.assert_allclose(together, alone, rtol=1e-4)
