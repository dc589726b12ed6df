#!lua
-- One change of a match: all of it or nothing.
-- KEYS 1 match, 2 entries, 3 request ids, 4 channel for hints (all with the match's hash tag)
-- ARGV 1 expected revision ('' = there must be no match), 2 expected head, 3 expected changes,
--      4 what was drawn at the last of them ('' = not known), 5 request key, 6 fingerprint,
--      7 reply, 8 earliest time in ms ('0' = any), 9 why the match must be frozen ('' = it must
--      not), 10 how many arguments of fields follow, then field, value, ... of the match (the
--      first are the new v, h, c and n: revision, head, changes and drawn), then revision, head,
--      body of each entry.
-- There is no rollback: every check comes first, and the first write is the only one that can
-- refuse (XADD, if the revision is not above the last). Memory is checked before the script runs.
local seen = redis.call('HGET', KEYS[3], ARGV[5])
if seen then
  local n = #ARGV[6]
  if string.sub(seen, 1, n) ~= ARGV[6] then return {'KEY_REUSED'} end
  return {'DUPLICATE', string.sub(seen, n + 1)}
end
local now = redis.call('HMGET', KEYS[1], 'v', 'h', 'c', 'z', 'n')
if ARGV[1] == '' then
  if now[1] then return {'CONFLICT'} end
else
  if not now[1] then return {'NOT_FOUND'} end
  if (now[4] or '') ~= ARGV[9] then return {'FROZEN', now[4] or ''} end
  if now[1] ~= ARGV[1] or now[3] ~= ARGV[3] then return {'CONFLICT'} end
  if ARGV[4] ~= '' and now[5] ~= ARGV[4] then return {'CONFLICT'} end
  if now[2] ~= ARGV[2] then return {'DIVERGED'} end
end
if ARGV[8] ~= '0' then
  local time = redis.call('TIME')
  if time[1] * 1000 + math.floor(time[2] / 1000) < tonumber(ARGV[8]) then return {'EARLY'} end
end
local fields = tonumber(ARGV[10])
for i = 11 + fields, #ARGV, 3 do
  redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'h', ARGV[i + 1], 'b', ARGV[i + 2])
end
redis.call('HSET', KEYS[1], unpack(ARGV, 11, 10 + fields))
redis.call('HSET', KEYS[3], ARGV[5], ARGV[6] .. ARGV[7])
redis.call('SPUBLISH', KEYS[4], ARGV[12] .. ' ' .. ARGV[16])
return {'OK'}
