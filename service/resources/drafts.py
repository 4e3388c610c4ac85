"""Records of the form of a new study: a draft with its faults, examples."""

from typing import Annotated, Any

from pydantic import Field

from service.resources.fields import Model
from service.resources.models import LayoutCheck, Resource, SettingsRequest


class DraftFault(Resource):
    """A fault of a draft, which cannot be a study with it."""

    detail: str = Field(description="fault in words")
    pointer: str = Field(description="place in `definition` (RFC 6901); empty: the whole of it")
    line: int | None = Field(description="line of `toml`, from 1; null: unknown")


FileText = Annotated[str, Field(max_length=262_144)]


class EditedDraft(Resource):
    """A study as a tree, and the file in which its values are to be changed."""

    definition: dict[str, Any] = Field(description="the study as a tree")
    toml: str = Field(max_length=262_144, description="file whose values are changed")


class NewStudyRequest(Resource):
    """A beginning of a new study: an example or presets, or cable robots in the texts of files.

    ``tables`` are CSV files with a row for each cable, ``files`` those of other programs: URDF, SDF, CASPR,
    WireX, cdpyr or JSON of Tautline, which the text says. Both map names of files to their text; several
    robots become layouts.
    """

    name: str = Field(default="new-study", pattern=r"^[a-z0-9-]{1,64}$", description="name of the study")
    sources: list[str] = Field(
        default_factory=list[str],
        max_length=20,
        description="an example, or presets of one back-end, which become layouts",
    )
    tables: dict[str, FileText] = Field(
        default_factory=dict[str, str],
        max_length=20,
        description="CSV files with a row for each cable, by name of the file",
    )
    files: dict[str, FileText] = Field(
        default_factory=dict[str, str],
        max_length=20,
        description="robots in files of other programs, by name of the file; of CASPR, both files",
    )
    model: str | None = Field(default=None, description="back-end of the presets")


class DraftLayout(LayoutCheck):
    """A layout of a valid draft."""

    lower: SettingsRequest = Field(description="design at the lower ends of all ranges")
    upper: SettingsRequest = Field(description="design at the upper ends of all ranges")


class EqualChoice(Resource):
    """A value that would make a parameter the same in all layouts."""

    text: str = Field(description="value in words")
    value: Any = Field(description="value as a study file has it [SI]")


class UnequalParameter(Resource):
    """A fixed parameter beyond the geometry in which layouts differ."""

    parameter: str = Field(description="the parameter in words")
    values: dict[str, str] = Field(description="its value in words, by layout")
    choices: list[EqualChoice] = Field(description="values that would make it equal in all layouts")


class ReadRobot(Resource):
    """A robot that was read from a file."""

    source: str = Field(description="name of the file, and its format with the version")
    read: list[str] = Field(description="sentences on what was read")
    assumed: list[str] = Field(
        description="sentences on what the file does not say, and what was taken instead"
    )
    unread: list[str] = Field(description="parts of the file that the back-end has no place for")
    verdict: list[str] = Field(
        description="sentences on its workspace as it was read, and on the pose in which its file has it; "
        "of an infeasible one, the assumption on which that hangs"
    )


class StudyDraft(Resource):
    """A study that is still being written.

    It cannot be shown as a form while it is not TOML, or has keys or kinds of values that no study has.
    """

    definition: dict[str, Any] | None = Field(
        description="the study as a tree; null while the file cannot be shown as a form"
    )
    toml: str = Field(description="the study as a file")
    faults: list[DraftFault] = Field(description="faults to mend before it can be a study")
    runs: int = Field(
        default=0, description="searches that the study plans: layouts times seeds; 0 while there are faults"
    )
    layouts: list[DraftLayout] = Field(
        default_factory=list[DraftLayout],
        description="layouts with the size of their search; empty while there are faults",
    )
    remarks: list[str] = Field(
        default_factory=list[str],
        description="warnings and remarks as of a check, without the one on what `unequal` lists",
    )
    unequal: list[UnequalParameter] = Field(
        default_factory=list[UnequalParameter],
        description="differences of layouts besides their geometry, and values that would make them equal",
    )
    robots: list[ReadRobot] = Field(
        default_factory=list[ReadRobot],
        description="what was read of each robot of another program with which the study begins",
    )
    comments_lost: int = Field(
        default=0,
        description="comments of the earlier file that are missing here, because the file had to be written "
        "again",
    )


class ExampleResource(Resource):
    """A study file to begin with."""

    example: str = Field(description="name of the example")
    model: Model
    description: str = Field(description="description in the study file")
    answers: str = Field(description="question that the study answers")
    time: str = Field(description="time that the study takes on two cores, in words")
    changes: list[str] = Field(description="parameters that the study sets or varies")
    goals: list[str] = Field(description="objectives and constraints")
    toml: str = Field(description="the study file")
