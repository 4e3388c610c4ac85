"""Records of the form of a new study: a draft with its faults, examples."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from service.resources.models import LayoutCheck, Resource, SettingsRequest


class DraftFault(Resource):
    """A fault of a draft, which cannot be a study with it."""

    detail: str
    pointer: str = Field(description="where it lies in `definition` (RFC 6901); empty: in the whole of it")
    line: int | None = Field(description="line of `toml`, counted from 1, when it is known")


FileText = Annotated[str, Field(max_length=262_144)]


class EditedDraft(Resource):
    """A study as a tree, and the file in which its values are to be changed."""

    definition: dict[str, Any]
    toml: str = Field(max_length=262_144)


class NewStudyRequest(Resource):
    """A beginning of a new study: an example or presets, or cable robots in the texts of files.

    ``tables`` are CSV files with a row for each cable, ``files`` those of other programs: URDF, SDF, CASPR,
    WireX, cdpyr or JSON of Tautline, which the text says. Both map names of files to their text; several
    robots become layouts.
    """

    name: str = Field(default="new-study", pattern=r"^[a-z0-9-]{1,64}$")
    sources: list[str] = Field(default_factory=list[str], max_length=20)
    tables: dict[str, FileText] = Field(default_factory=dict[str, str], max_length=20)
    files: dict[str, FileText] = Field(
        default_factory=dict[str, str],
        max_length=20,
        description="of CASPR, both files of a robot; no other file is opened",
    )
    model: str | None = Field(default=None, description="the back-end of the presets")


class DraftLayout(LayoutCheck):
    """A layout of a valid draft; ``lower`` and ``upper`` are its designs at the ends of all ranges."""

    lower: SettingsRequest
    upper: SettingsRequest


class EqualChoice(Resource):
    """A value that would make a parameter the same in all layouts, as text and as the form takes it."""

    text: str
    value: Any


class UnequalParameter(Resource):
    """A fixed parameter beyond the geometry in which layouts differ, with what it is in each."""

    parameter: str
    values: dict[str, str]
    choices: list[EqualChoice]


class ReadRobot(Resource):
    """A robot that was read from a file, in the names of parameters; the others in sentences.

    ``assumed`` is what its file does not say, ``unread`` what the back-end has no place for.
    """

    source: str = Field(description="its file, and the format with the version")
    read: list[str]
    assumed: list[str]
    unread: list[str]
    verdict: list[str] = Field(
        description="sentences on its workspace as it was read, and on the pose in which its file has it; "
        "of an infeasible one, the assumption on which that hangs"
    )


class StudyDraft(Resource):
    """A study that is still being written, as a tree and as a file.

    ``definition`` is null while the file cannot be shown as a form: it is not TOML, or has keys or kinds
    of values that no study has. ``layouts`` is empty while there are faults.
    """

    definition: dict[str, Any] | None
    toml: str
    faults: list[DraftFault]
    runs: int = 0
    layouts: list[DraftLayout] = Field(default_factory=list[DraftLayout])
    remarks: list[str] = Field(
        default_factory=list[str],
        description="warnings and remarks as of a check, without the one on what `unequal` lists",
    )
    unequal: list[UnequalParameter] = Field(
        default_factory=list[UnequalParameter],
        description="how the layouts differ besides their geometry, with values that would make them equal",
    )
    robots: list[ReadRobot] = Field(
        default_factory=list[ReadRobot],
        description="of a study that begins with robots of other programs, what was read of each",
    )
    comments_lost: int = Field(
        default=0,
        description="comments of the earlier file that are missing here, because the file had to be written "
        "again",
    )


class ExampleResource(Resource):
    """A study file to begin with."""

    example: str
    model: str
    description: str
    answers: str
    """Question that the study answers."""
    time: str
    """Time that the study takes on two cores."""
    changes: list[str]
    """Parameters that the study sets or varies."""
    goals: list[str]
    """Objectives and constraints."""
    toml: str
