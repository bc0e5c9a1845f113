/* Servers in a program of one's own: scenes, rules, players, values and recordings.
 *
 * docs/SERVER_GUIDE.md explains the use. Any thread may call any function; a server, a recording
 * and their games are used by one thread at a time, and calls that would break this rule return
 * JOSTLE_ERROR_BUSY.
 */
#ifndef JOSTLE_SERVER_H
#define JOSTLE_SERVER_H

#include <jostle/server/games.h>
#include <jostle/server/recordings.h>
#include <jostle/server/rules.h>
#include <jostle/server/servers.h>

#endif
