#!lua
-- One change of a match: all of it or nothing.
-- KEYS 1 match, 2 entries, 3 request ids, 4 channel for hints (all with the match's hash tag)
-- ARGV 1 expected revision ('' = there must be no match), 2 expected head, 3 expected roster,
--      4 request key, 5 fingerprint, 6 reply, 7 earliest time in ms ('0' = any), 8 why the match
--      must be frozen ('' = it must not), 9 how many arguments of fields follow, then field,
--      value, ... of the match (the first are v, h and c: the new revision, head and roster),
--      then revision, head, body of each entry.
-- There is no rollback: every check comes first, and the first write is the only one that can
-- refuse (XADD, if the revision is not above the last). Memory is checked before the script runs.
local seen = redis.call('HGET', KEYS[3], ARGV[4])
if seen then
  local n = #ARGV[5]
  if string.sub(seen, 1, n) ~= ARGV[5] then return {'KEY_REUSED'} end
  return {'DUPLICATE', string.sub(seen, n + 1)}
end
local now = redis.call('HMGET', KEYS[1], 'v', 'h', 'c', 'z')
if ARGV[1] == '' then
  if now[1] then return {'CONFLICT'} end
else
  if not now[1] then return {'NOT_FOUND'} end
  if (now[4] or '') ~= ARGV[8] then return {'FROZEN', now[4] or ''} end
  if now[1] ~= ARGV[1] or now[3] ~= ARGV[3] then return {'CONFLICT'} end
  if now[2] ~= ARGV[2] then return {'DIVERGED'} end
end
if ARGV[7] ~= '0' then
  local time = redis.call('TIME')
  if time[1] * 1000 + math.floor(time[2] / 1000) < tonumber(ARGV[7]) then return {'EARLY'} end
end
local fields = tonumber(ARGV[9])
for i = 10 + fields, #ARGV, 3 do
  redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'h', ARGV[i + 1], 'b', ARGV[i + 2])
end
redis.call('HSET', KEYS[1], unpack(ARGV, 10, 9 + fields))
redis.call('HSET', KEYS[3], ARGV[4], ARGV[5] .. ARGV[6])
redis.call('SPUBLISH', KEYS[4], ARGV[11] .. ' ' .. ARGV[15])
return {'OK'}
