#!lua
-- A heartbeat of a server. If the last one of any server is older than the limit, no server was
-- alive in between, and that is noted as an outage. It begins one limit after the last heartbeat
-- and ends one limit after this one: it is as long as the silence was, and a server judges time
-- only up to one limit after its own heartbeat. If the clock was set back, its later correction
-- counts as an outage too, except where an earlier outage covers it.
-- KEYS 1 the last heartbeat in ms, 2 list of outages ("from to"), both with the same hash tag
-- ARGV 1 the limit in ms: a longer silence is an outage, 2 how many outages are kept
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call('GET', KEYS[1]) or now)
local limit = tonumber(ARGV[1])
if now - last > limit then
  local start, stop = last + limit, now + limit
  local newest = redis.call('LINDEX', KEYS[2], -1)
  if newest then start = math.max(start, tonumber(string.match(newest, '%d+$'))) end
  if start < stop then
    redis.call('RPUSH', KEYS[2], string.format('%.0f %.0f', start, stop))
    redis.call('LTRIM', KEYS[2], -tonumber(ARGV[2]), -1)
  end
end
redis.call('SET', KEYS[1], string.format('%.0f', now))
return {string.format('%.0f', now), redis.call('LRANGE', KEYS[2], 0, -1)}
