#!lua
-- One atomic change of a match.
-- KEYS 1 match, 2 entries, 3 remembered replies, 4 channel for notifications (all with the
--      match's hash tag)
-- ARGV 1 expected revision ('' = there must be no match), 2 expected head, 3 expected change id,
--      4 request key, 5 fingerprint, 6 reply, 7 earliest time in ms ('0' = any), 8 why the match
--      must be frozen ('' = it must not), 9 how many arguments of fields follow, then field,
--      value, ... of the match (the first are its new revision, head and change id), then
--      revision, head, body of each entry.
-- There is no rollback: every check comes first, and the first write is the only one that can
-- be refused (XADD, if the revision is not above the last). Memory is checked before the script.
-- A notification that this user of the store may not send is left out: the poll finds the change.
-- An entry above the match's revision was never acknowledged: some servers, after a power cut in
-- the middle of a script, keep a part of what it wrote. Such entries are dropped, and counted.
local seen = redis.call('HGET', KEYS[3], ARGV[4])
if seen then
  local n = #ARGV[5]
  if string.sub(seen, 1, n) ~= ARGV[5] then return {'KEY_REUSED'} end
  return {'DUPLICATE', string.sub(seen, n + 1)}
end
local now = redis.call('HMGET', KEYS[1], 'revision', 'head', 'change_id', 'frozen')
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
local dropped = 0
for i = 10 + fields, #ARGV, 3 do
  local add = {'XADD', KEYS[2], ARGV[i] .. '-0', 'head', ARGV[i + 1], 'body', ARGV[i + 2]}
  local added = redis.pcall(unpack(add))
  if added.err then
    local kept = redis.call('XRANGE', KEYS[2], '-', '(' .. ARGV[i] .. '-0')
    dropped = redis.call('XLEN', KEYS[2]) - #kept
    if dropped == 0 then return added end
    redis.call('DEL', KEYS[2])
    for _, entry in ipairs(kept) do redis.call('XADD', KEYS[2], entry[1], unpack(entry[2])) end
    redis.call(unpack(add))
  end
end
redis.call('HSET', KEYS[1], unpack(ARGV, 10, 9 + fields))
redis.call('HSET', KEYS[3], ARGV[4], ARGV[5] .. ARGV[6])
redis.pcall('SPUBLISH', KEYS[4], ARGV[11] .. ' ' .. ARGV[15])
return {'OK', dropped}
