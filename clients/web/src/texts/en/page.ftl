# What stands around the screens, the lobby, tournaments, games and rules.

skip = Skip to the content
nav = Main menu
nav-lobby = Lobby
nav-games = Games
nav-tournaments = Tournaments
nav-record = Replay
loading = Loading …
close = Close
cancel = Cancel
yes = yes
no = no
copy = Copy
copied = Copied
copy-what = Copy: { $what }
to-lobby = To the lobby
server-unreachable = The server does not answer. Nothing was lost: try again.
page-is-old = This page is older than the server. Load it again.
connection-lost = No connection: what you see may have changed. Connecting again …

settings = Settings
settings-language = Language
settings-theme = Colours
settings-sound = Sounds
theme-system = As the system
theme-light = Light
theme-dark = Dark
sound-on = On
sound-off = Off
your-name = Your name
your-name-hint = The others at the table see it.
api-key = API key
api-key-hint = Optional: the key of your account. It stays in this browser.

# ---- lobby

lobby-title = Lobby
lobby-claim = Sit down and play.
lobby-about = Every option says what it costs and gains, and what is not offered says why. No account is needed.
join-code = Code of an invitation
join = Join
play-bots = Play a bot
quick-match = Find players
create-open = New match …
game-options = Options and components
game-rules = Rules
game-seats =
    { $max ->
        [1] 1 player
       *[other] { $min ->
            [1] 1 to { $max } players
           *[other] { $min } to { $max } players
        }
    }
game-cooperative = all together
game-competitive = against each other
game-version = rules { $version }
matches-own = Your matches
matches-own-none = None yet.
matches-open = Open matches
matches-open-none = Nobody waits for players at the moment.
matches-playing = Live
matches-playing-none = No match is being played at the moment.
matches-finished = Finished
matches-finished-none = No match has ended yet.
match-do-join = Open
match-do-watch = Watch
match-do-look = Look back
nobody-yet = nobody yet
seats-free =
    { $count ->
        [one] 1 seat free
       *[other] { $count } seats free
    }
won-by = won by { $names }
won-by-nobody = nobody has won

# ---- a new match

create = Create the match
create-title = New match: { $game }
create-setup = Setup
create-bots = Bots of the server
create-bots-count = How many take a seat
create-bots-kind = How they play
create-time = Time
create-others = Players and spectators
create-name = Title
create-spectators = Spectators
spectators-public = Everybody may watch
spectators-delayed = Everybody may watch, three minutes later
spectators-none = No spectators
create-unlisted = Unlisted
create-unlisted-hint = The lobby does not show the match; who has the link finds it.
create-invited = By invitation only
create-invited-hint = A seat is only for those who have the link or the code.
time-limited = With clocks
time-none = no clocks
time-minutes = Minutes for the match
time-increment = Seconds added for an answer
time-per-decision = Free seconds for a decision
time-out = When the time of a seat is up
time-out-stand-in = a stand-in plays on
time-out-neutral = the neutral answer is given
time-out-forfeit = the seat has lost
time-control =
    { $seconds ->
        [0] { $minutes } min
       *[other] { $seconds } s
    }{ $increment ->
        [0] {""}
       *[other] , +{ $increment } s for an answer
    }{ $free ->
        [0] {""}
       *[other] , { $free } s free for a decision
    }; then { $policy ->
        [stand_in] a stand-in plays on
        [forfeit] the seat has lost
       *[other] the neutral answer is given
    }
setup = Setup
setup-game = Game
setup-usual = as usual
setup-drawn = drawn at random
setup-open = follows from the rest, or is drawn
setup-order = In the order in which you choose them.
setup-range = { $min } to { $max }
setup-several = several of: { $values }
setup-default = usually { $value }
setup-left-open = if left open, it follows from the rest or is drawn
setup-fields = Options of the setup
setup-fields-about = Each field of the form for a new match, with its name in the contract.

# ---- before the start

seats = Seats
seat-free = free
seat-reserved = reserved
seat-own = (you)
seat-bot = (bot of the server)
seat-here = is here
seat-away = is away
sit-here = Sit here
sit-down = Sit down
stand-up = Leave
start = Start
remove = Remove { $name }
add-bot = Add the bot
cancel-match = Cancel the match
match-cancelled = The match was cancelled.
match-missing = This match cannot be shown.
waiting-for =
    { $count ->
        [one] Waiting for one more player.
       *[other] Waiting for { $count } more players.
    }
waiting-start = All seats are taken.
invite = Invite
invite-about = Whoever has the link or the code may sit down. Send it only to those you want at the table.
invite-about-link = Send this link to those you want at the table.
invite-link = Link
invite-code = Code
invited-title = You are invited
invited-about = Somebody has kept a seat for you. Choose a name and sit down.
invited-watch = Look first

# ---- tournaments

tournaments-about = The server runs them: accounts enter, it seats them, and everybody may watch.
tournaments-none = There is no tournament yet.
tournaments-list = All tournaments
tournament-create = New tournament
tournament-announce = Announce the tournament
tournament-format = Who plays whom
tournament-rounds = Rounds
tournament-enter = Enter
tournament-withdraw = Withdraw
tournament-unspecified = unknown
tournament-open = open for entries
tournament-playing = under way
tournament-finished = finished
tournament-cancelled = cancelled
format-unspecified = round robin
format-round-robin = round robin
format-swiss = Swiss system
format-knockout = knockout
format-gauntlet = gauntlet: the first against all
format-free-for-all = free for all
rounds =
    { $count ->
        [one] 1 round
       *[other] { $count } rounds
    }
entrants =
    { $count ->
        [one] 1 entrant
       *[other] { $count } entrants
    }
standings = Standings
standings-none = No match has ended yet.
place = Place
name = Name
points = Points
points-number = { NUMBER($points, maximumFractionDigits: 2) }
wins = Wins
matches = Matches
round = Round
players = Players
result = Result
match-under-way = under way
match-to-come = to come
live-boards = Boards under way

# ---- games and rules

game-bots = Bots of the server
game-components = Components
provenance-seed = printed in the rulebook
provenance-public = known from public sources
provenance-reconstructed = reconstructed
rules-title = Rules: { $game }
rules-search = Search in the rules
rules-none = No rule has these words.

# ---- records

record-title = Replay a record
record-about = Open the record of a match that has ended: a file that this page or the command line has saved.
record-open = Open a file …
record-unreadable = This is no record of a match.
