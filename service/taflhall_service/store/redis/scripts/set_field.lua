#!lua
-- One field about a match that no command changes, and how long the match is still kept.
-- KEYS 1 match, 2 entries, 3 request ids
-- ARGV 1 expected revision, 2 expected head, 3 field, 4 value, 5 milliseconds to keep ('' = forever)
-- All three keys expire together: a remembered reply must not outlive its match.
local now = redis.call('HMGET', KEYS[1], 'revision', 'head')
if now[1] ~= ARGV[1] or now[2] ~= ARGV[2] then return {'CONFLICT'} end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[4])
if ARGV[5] ~= '' then
  for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[5]) end
end
return {'OK'}
