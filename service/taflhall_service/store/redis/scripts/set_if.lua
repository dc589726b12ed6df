#!lua
-- Compare-and-set of one value of a namespace.
-- KEYS 1 namespace   ARGV 1 name, 2 value, 3 expected old value ('' = absent)
-- The value itself may be there already: then this is a repetition.
local now = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if now == ARGV[2] then return {'OK'} end
if now ~= ARGV[3] then return {'CONFLICT'} end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return {'OK'}
