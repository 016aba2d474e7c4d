#pragma once
/// \file  Draws a world in the window: landscape, slingshot, objects with their cracks, birds, dust and
/// explosions.
///
/// What is drawn depends on kind, type, material, place and the share of life left alone: nothing shows which
/// objects are novel.
#include <SFML/Graphics/RenderTarget.hpp>
#include <SFML/Graphics/Texture.hpp>
#include <future>
#include <optional>
#include <vector>

#include "sim/scene.hpp"
#include "sim/trace.hpp"
#include "viewer/drawing/camera.hpp"
#include "viewer/drawing/sprites.hpp"

namespace startle {

/// One moment of a world. The pointers outlive the call they are given to.
struct Moment {
  const Scene* scene = nullptr;  ///< from which the shot starts, or as it stands: its next bird is the one on
                                 ///< the slingshot or in flight
  const std::vector<BodyState>* bodies = nullptr;  ///< as in a Frame; null: the objects where the scene has
                                                   ///< them, the next bird in the slingshot
  const std::vector<Event>* events = nullptr;      ///< of the shot, for dust and explosions; may be null
  double step = 0;                                 ///< steps since the release
  Vec2 held;  ///< without bodies: where the origin of the next bird is held
};

class WorldView {
 public:
  explicit WorldView(Sprites& sprites);
  ~WorldView();

  void draw(sf::RenderTarget& target, const Camera2D& camera, const Moment& moment);

  /// Small discs, as for a trajectory; `radius` in pixels.
  void draw_points(sf::RenderTarget& target, const Camera2D& camera, const std::vector<Vec2>& points,
                   Colour c, double radius) const;

 private:
  struct Canvas {
    sf::RenderTarget& target;
    const Camera2D& camera;
    const Scene& scene;
  };
  /// Takes the landscape that is finished, and begins another one where it does not fit. Returns whether it
  /// fills the view.
  bool update_landscape(const Camera2D& camera, double ground_y);
  void draw_landscape(sf::RenderTarget& target, const Camera2D& camera, double ground_y);
  /// An object, bird or egg without its cracks; its shadow, when tinted black.
  void draw_body(const Canvas& canvas, BodyId id, const Pose& pose, sf::Color tint = sf::Color::White);
  void draw_bird(const Canvas& canvas, const BirdType& bird, const Pose& pose,
                 sf::Color tint = sf::Color::White);
  void draw_cracks(const Canvas& canvas, const BodyState& body);
  /// Around the bird where it is still in the band.
  void draw_slingshot(const Canvas& canvas, const BodyState* in_band);
  void draw_effects(sf::RenderTarget& target, const Camera2D& camera, const Moment& moment);

  struct Landscape {
    Bounds box;
    double scale = 0;
    Bitmap picture;
  };
  Sprites& sprites_;
  sf::Texture landscape_;
  Bounds landscape_box_;
  double landscape_scale_ = 0;  ///< 0: none yet
  std::future<Landscape> drawing_;
  sf::Texture disc_;
};

}  // namespace startle
