"""A vision-language model small enough to train on a CPU, with random weights: for trying trainers out.

The architecture is Qwen3-VL's, the chat template the one TRL ships for it; the tokenizer is trained on the
texts it is given. It knows nothing: what it writes is noise. Take a real model to learn anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

#: The control tokens of the Qwen family.
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>")
#: Tokens of their own that stay when a text is decoded without control tokens: the places of pictures, and the tags
#: that the chat template writes around calls.
PLACES = ("<|image_pad|>", "<|video_pad|>")
TAGS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")
#: Pictures are made smaller than this many pixels: at most four tokens each.
PICTURE_PIXELS = 64 * 64


def make_tokenizer(texts: Iterable[str], vocabulary: int = 1024) -> Any:
    """Return a byte-level BPE tokenizer, trained on texts."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocabulary, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens(list(CONTROL))
    tokenizer.add_tokens([AddedToken(tag, normalized=False) for tag in (*PLACES, *TAGS)])
    trained = PreTrainedTokenizerFast(tokenizer_object=tokenizer, padding_side="left")
    trained.add_special_tokens({"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"})
    return trained


def make_processor(tokenizer: Any) -> Any:
    """Return the processor of the model: tokenizer, pictures, chat template."""
    from transformers import Qwen2VLImageProcessor, Qwen3VLProcessor, Qwen3VLVideoProcessor

    size = {"shortest_edge": 32 * 32, "longest_edge": PICTURE_PIXELS}
    template = files("trl").joinpath("chat_templates", "qwen3_vl.jinja").read_text("utf-8")
    tokenizer.chat_template = template
    return Qwen3VLProcessor(
        image_processor=Qwen2VLImageProcessor(patch_size=16, merge_size=2, size=size),
        tokenizer=tokenizer,
        video_processor=Qwen3VLVideoProcessor(patch_size=16, merge_size=2),
        chat_template=template,
    )


def make_model(tokenizer: Any, seed: int = 0) -> Any:
    """Return a model of about 0.2 million weights."""
    import torch
    from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

    def ident(token: str) -> int:
        return int(tokenizer.convert_tokens_to_ids(token))

    text = {
        "vocab_size": len(tokenizer), "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16, "max_position_embeddings": 16_384,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [4, 2, 2]},
        "pad_token_id": tokenizer.pad_token_id,
    }  # fmt: skip
    vision = {
        "depth": 2, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "patch_size": 16,
        "out_hidden_size": 32, "num_position_embeddings": 64, "deepstack_visual_indexes": [0],
    }  # fmt: skip
    torch.manual_seed(seed)
    model = Qwen3VLForConditionalGeneration(
        Qwen3VLConfig(
            text_config=text, vision_config=vision, image_token_id=ident("<|image_pad|>"),
            video_token_id=ident("<|video_pad|>"), vision_start_token_id=ident("<|vision_start|>"),
            vision_end_token_id=ident("<|vision_end|>"),
        )
    )  # fmt: skip
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    return model
