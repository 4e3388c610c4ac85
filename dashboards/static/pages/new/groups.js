// Parameters of our own back-ends in groups that belong together; those of other packages make one group.
const GROUPS = {
  "hybrid-cable-robot": {
    "Frame and pulleys": [
      "arrangement", "beta1", "beta2", "frame_radius", "upper_height", "lower_height", "pulleys",
      "cable_order",
    ],
    Platform: ["attachments", "platform_half_size", "platform_body"],
    "Task": ["task_box", "task_path"],
    "Workspace grid": ["space", "cells", "orientations", "rotation_limit", "index_domain", "bounds", "bounds_block"],
    "Loads and tensions": [
      "wrench_set", "weight_moment", "arm_posture", "arm_postures", "arm_joint_limits", "f_min", "f_max",
      "tension_rule",
    ],
    "Cables and collisions": ["cable_diameter", "clearance", "attachment_relief", "check_interference", "check_platform"],
    Stiffness: ["cable_stiffness", "axial_stiffness", "geometric_stiffness", "test_load", "characteristic_length"],
    "Arm and motion": [
      "arm_links", "arm_base_position", "arm_base_rotation", "trajectory", "trajectory_samples",
      "winch_radius", "winch_inertia", "winch_friction",
    ],
  },
  "continuum-statics": {
    "Rod and disks": [
      "segments", "segment_length", "length", "arcs_per_gap", "rod_diameter", "hole_radius",
      "hole_azimuths", "tie_disks",
    ],
    Material: [
      "material", "young_modulus", "shear_modulus", "bending_stiffness", "torsion_stiffness", "rod_density",
      "section_mass", "stress_limit", "strain_limit", "enforce_material_limits",
    ],
    "Loads and tensions": ["tip_mass", "gravity", "tensions", "pretension", "payload_limit", "planar"],
    "Sweep and workspace": [
      "sweep_cable", "max_tension", "rays", "tension_steps", "refinements", "pretension_steps", "targets",
      "target_tolerance",
    ],
  },
};

// [[title, names], ...]; a name that is in no group comes last.
export function groupsOf(model) {
  const known = (names) => names.filter((name) => name in model.fields);
  const groups = Object.entries(GROUPS[model.model] ?? {}).map(([title, names]) => [title, known(names)]);
  const placed = new Set(groups.flatMap(([, names]) => names));
  const rest = model.names.filter((name) => !placed.has(name));
  return rest.length ? [...groups, [groups.length ? "Others" : "Parameters", rest]] : groups;
}
