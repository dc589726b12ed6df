#!lua
-- Freeze a match whatever else is stored of it, unless it is frozen already.
-- KEYS 1 match
-- ARGV 1 why
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return {'OTHER'} end
local frozen = redis.call('HGET', KEYS[1], 'frozen')
if not frozen or frozen == '' then redis.call('HSET', KEYS[1], 'frozen', ARGV[1]) end
return {'OK'}
