#pragma once
/// \file  What each overlay draws over the world and says in its section of the panel at the right: a file an
/// overlay.
#include <optional>
#include <string>

#include "play/insight.hpp"
#include "viewer/drawing/pen.hpp"

namespace startle::overlays {

/// What overlays are about.
struct OverlayView {
  const Insight& insight;
  std::optional<std::size_t> chosen, focus;  ///< objects: by click or keys; the one under the mouse, else the
                                             ///< chosen one

  /// The target whose hit is described: the focused object where it is one, else the chosen one, else the
  /// best one; null: no targets.
  const TargetOutcome* selected_outcome() const;
};

/// Targets, and the trajectories to them.
void draw_targets(const Pen& pen, const OverlayView& view);
void describe_targets(const OverlayView& view);

/// What rests on what.
void draw_support(const Pen& pen, const OverlayView& view);
void describe_support(const OverlayView& view);

/// What the focused object brings down.
void draw_influence(const Pen& pen, const OverlayView& view);
void describe_influence(const OverlayView& view);

/// What a hit on a target moves, and how.
void draw_cases(const Pen& pen, const OverlayView& view);
void describe_cases(const OverlayView& view);

/// What makes the novelty visible, object by object.
void draw_detectability(const Pen& pen, const OverlayView& view);
void describe_detectability(const OverlayView& view);

/// PID and BID step by step. `stored`: what the level's file says of them. `part`: of the explanation, which
/// its buttons change.
void describe_arithmetic(const OverlayView& view, const std::string& stored, std::size_t& part);

}  // namespace startle::overlays
