/* Connects to hello_server and reads what a program would draw. Usage: hello_client HOST:PORT */
#include <jostle/client.h>
#include <stdio.h>
#include <stdlib.h>

static void check(jostle_result result) {
  if (result == JOSTLE_OK) return;
  fprintf(stderr, "%s\n", jostle_last_error());
  exit(1);
}

int main(int argc, char** argv) {
  jostle_client_def def;
  check(jostle_client_def_default(&def));
  if (argc > 1) def.server = argv[1];
  def.name = "Ada";
  jostle_client client;
  check(jostle_client_create(&def, &client));

  jostle_client_status status;
  jostle_value values[JOSTLE_MAX_VALUES];
  size_t count = 0;
  status.size = sizeof status;
  do { /* until the first goal */
    check(jostle_client_poll(client, 0.01));
    check(jostle_client_get_status(client, &status));
    if (status.state == JOSTLE_CLIENT_FAILED) {
      fprintf(stderr, "%s\n", status.text);
      return 1;
    }
    check(jostle_client_get_values(client, values, 0, JOSTLE_MAX_VALUES, &count));
  } while (status.state != JOSTLE_CLIENT_PLAYING || count == 0);
  printf("%u bodies, value '%s' is known\n", status.body_count, values[0].name);

  uint32_t id;
  jostle_pose pose;
  check(jostle_client_find_body(client, "goal", &id));
  check(jostle_client_get_pose(client, id, &pose));
  printf("the goal is at x = %.1f m\n", pose.position.x);
  check(jostle_client_find_body(client, "ball", &id));
  check(jostle_client_get_pose(client, id, &pose));
  printf("the ball is %s\n", pose.position.x > -1 && pose.position.x < 3 ? "in the field" : "lost");
  check(jostle_client_get_own_body(client, &id)); /* the body of this player */
  jostle_client_body body;
  body.size = sizeof body;
  check(jostle_client_get_body(client, id, &body));
  printf("my body is called %s\n", body.name);
  check(jostle_client_destroy(client));
  return 0;
}
