#!lua
-- A sign of life of a server; who finds the last one old writes down that nobody was alive.
-- KEYS 1 the last sign in ms, 2 list of outages ("from to"), both with the same hash tag
-- ARGV 1 longest silence in ms that is none, 2 how many outages are kept
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call('GET', KEYS[1]) or now)
if now - last > tonumber(ARGV[1]) then
  redis.call('RPUSH', KEYS[2], string.format('%.0f %.0f', last, now))
  redis.call('LTRIM', KEYS[2], -tonumber(ARGV[2]), -1)
end
if now >= last then redis.call('SET', KEYS[1], string.format('%.0f', now)) end
return {string.format('%.0f', now), redis.call('LRANGE', KEYS[2], 0, -1)}
