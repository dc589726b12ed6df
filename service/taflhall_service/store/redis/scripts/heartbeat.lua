#!lua
-- A sign of life of a server; who finds the last one old writes down that nobody was alive.
-- The outage begins when the last sign has lost its worth, and ends as much later than the next
-- one: so it takes as long as the silence did, and nobody has acted in it who could not know.
-- A clock that jumped back is followed, so that its correction is an outage too, as far as no
-- earlier outage covers it.
-- KEYS 1 the last sign in ms, 2 list of outages ("from to"), both with the same hash tag
-- ARGV 1 longest silence in ms that is none, 2 how many outages are kept
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
