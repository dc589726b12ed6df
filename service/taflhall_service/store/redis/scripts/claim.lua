#!lua
-- Compare-and-set of a value that expires.
-- KEYS 1 claim   ARGV 1 value, 2 expected old value ('' = none), 3 milliseconds to keep
local now = redis.call('GET', KEYS[1]) or ''
if now ~= ARGV[2] then return now end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return ARGV[1]
