# Was die Bildschirme umgibt, die Lobby, Turniere, Spiele und Regeln.

skip = Zum Inhalt
nav = Hauptmenü
nav-lobby = Lobby
nav-games = Spiele
nav-tournaments = Turniere
nav-record = Nachspielen
loading = Wird geladen …
close = Schließen
cancel = Abbrechen
yes = ja
no = nein
copy = Kopieren
copied = Kopiert
copy-what = Kopieren: { $what }
to-lobby = Zur Lobby
server-unreachable = Der Server antwortet nicht. Nichts ist verloren: Versuche es noch einmal.
page-is-old = Diese Seite ist älter als der Server. Lade sie neu.
connection-lost = Keine Verbindung: Was hier steht, kann überholt sein. Neuer Versuch …

settings = Einstellungen
settings-language = Sprache
settings-theme = Farben
settings-sound = Töne
theme-system = Wie das System
theme-light = Hell
theme-dark = Dunkel
sound-on = An
sound-off = Aus
your-name = Dein Name
your-name-hint = Die anderen am Tisch sehen ihn.
api-key = API-Schlüssel
api-key-hint = Freiwillig: der Schlüssel deines Kontos. Er bleibt in diesem Browser.

# ---- Lobby

lobby-title = Lobby
lobby-claim = Setz dich und spiel.
lobby-about = Jede Möglichkeit sagt, was sie kostet und bringt, und was nicht angeboten wird, sagt warum. Ein Konto ist nicht nötig.
join-code = Code einer Einladung
join = Beitreten
play-bots = Gegen einen Bot
quick-match = Mitspieler finden
create-open = Neue Partie …
game-options = Aufbau und Spielteile
game-rules = Regeln
game-seats =
    { $max ->
        [1] 1 Person
       *[other] { $min ->
            [1] 1 bis { $max } Personen
           *[other] { $min } bis { $max } Personen
        }
    }
game-cooperative = alle gemeinsam
game-competitive = gegeneinander
game-version = Regeln { $version }
matches-own = Deine Partien
matches-own-none = Noch keine.
matches-open = Offene Partien
matches-open-none = Im Moment wartet niemand auf Mitspieler.
matches-playing = Live
matches-playing-none = Im Moment wird keine Partie gespielt.
matches-finished = Beendet
matches-finished-none = Noch keine Partie ist zu Ende.
match-do-join = Öffnen
match-do-watch = Zusehen
match-do-look = Ansehen
nobody-yet = noch niemand
seats-free =
    { $count ->
        [one] 1 Platz frei
       *[other] { $count } Plätze frei
    }
won-by = Sieg: { $names }
won-by-nobody = niemand hat gewonnen

# ---- eine neue Partie

create = Partie anlegen
create-title = Neue Partie: { $game }
create-setup = Aufbau
create-bots = Bots des Servers
create-bots-count = Wie viele sich setzen
create-bots-kind = Wie sie spielen
create-time = Zeit
create-others = Mitspieler und Zuschauer
create-name = Titel
create-spectators = Zuschauer
spectators-public = Alle dürfen zusehen
spectators-delayed = Alle dürfen zusehen, drei Minuten später
spectators-none = Keine Zuschauer
create-unlisted = Nicht in der Liste
create-unlisted-hint = Die Lobby zeigt die Partie nicht; wer den Link hat, findet sie.
create-invited = Nur mit Einladung
create-invited-hint = Nur wer den Link oder den Code hat, darf sich setzen.
time-limited = Mit Uhren
time-none = keine Uhren
time-minutes = Minuten für die Partie
time-increment = Sekunden je Antwort dazu
time-per-decision = Freie Sekunden je Entscheidung
time-out = Wenn die Zeit eines Platzes um ist
time-out-stand-in = ein Ersatzspieler spielt weiter
time-out-neutral = die neutrale Antwort wird gegeben
time-out-forfeit = der Platz hat verloren
time-control =
    { $seconds ->
        [0] { $minutes } min
       *[other] { $seconds } s
    }{ $increment ->
        [0] {""}
       *[other] , +{ $increment } s je Antwort
    }{ $free ->
        [0] {""}
       *[other] , { $free } s je Entscheidung frei
    }; dann { $policy ->
        [stand_in] spielt ein Ersatzspieler weiter
        [forfeit] hat der Platz verloren
       *[other] wird die neutrale Antwort gegeben
    }
setup = Aufbau
setup-game = Spiel
setup-usual = wie üblich
setup-drawn = wird ausgelost
setup-open = folgt aus dem Übrigen oder wird ausgelost
setup-order = In der Reihenfolge, in der du sie wählst.
setup-range = { $min } bis { $max }
setup-several = mehrere von: { $values }
setup-default = üblich: { $value }
setup-left-open = bleibt es offen, so folgt es aus dem Übrigen oder wird ausgelost
setup-fields = Felder des Aufbaus
setup-fields-about = Jedes Feld des Formulars für eine neue Partie, mit seinem Namen in der Schnittstelle.

# ---- vor dem Start

seats = Plätze
seat-free = frei
seat-reserved = reserviert
seat-own = (du)
seat-bot = (Bot des Servers)
seat-here = ist da
seat-away = ist weg
sit-here = Hier setzen
sit-down = Setzen
stand-up = Aufstehen
start = Beginnen
remove = { $name } entfernen
add-bot = Bot dazusetzen
cancel-match = Partie absagen
match-cancelled = Die Partie wurde abgesagt.
match-missing = Diese Partie kann nicht gezeigt werden.
waiting-for =
    { $count ->
        [one] Noch eine Person fehlt.
       *[other] Noch { $count } Personen fehlen.
    }
waiting-start = Alle Plätze sind besetzt.
invite = Einladen
invite-about = Wer den Link oder den Code hat, darf sich setzen. Schicke ihn nur denen, die du am Tisch haben willst.
invite-about-link = Schicke diesen Link denen, die du am Tisch haben willst.
invite-link = Link
invite-code = Code
invited-title = Du bist eingeladen
invited-about = Jemand hat dir einen Platz freigehalten. Wähle einen Namen und setz dich.
invited-watch = Erst ansehen

# ---- Turniere

tournaments-about = Der Server richtet sie aus: Konten melden sich an, er setzt sie zusammen, und alle dürfen zusehen.
tournaments-none = Noch gibt es kein Turnier.
tournaments-list = Alle Turniere
tournament-create = Neues Turnier
tournament-announce = Turnier ausschreiben
tournament-format = Wer gegen wen spielt
tournament-rounds = Runden
tournament-enter = Anmelden
tournament-withdraw = Abmelden
tournament-unspecified = unbekannt
tournament-open = Anmeldung offen
tournament-playing = läuft
tournament-finished = beendet
tournament-cancelled = abgesagt
format-unspecified = jeder gegen jeden
format-round-robin = jeder gegen jeden
format-swiss = Schweizer System
format-knockout = K.-o.-System
format-gauntlet = Spießrutenlauf: der erste gegen alle
format-free-for-all = alle in jeder Runde
rounds =
    { $count ->
        [one] 1 Runde
       *[other] { $count } Runden
    }
entrants =
    { $count ->
        [one] 1 Anmeldung
       *[other] { $count } Anmeldungen
    }
standings = Tabelle
standings-none = Noch keine Partie ist zu Ende.
place = Rang
name = Name
points = Punkte
points-number = { NUMBER($points, maximumFractionDigits: 2) }
wins = Siege
matches = Partien
round = Runde
players = Spieler
result = Ergebnis
match-under-way = läuft
match-to-come = steht aus
live-boards = Laufende Partien

# ---- Spiele und Regeln

game-bots = Bots des Servers
game-components = Spielteile
provenance-seed = aus der Anleitung
provenance-public = öffentlich belegt
provenance-reconstructed = rekonstruiert
rules-title = Regeln: { $game }
rules-search = In den Regeln suchen
rules-none = In keiner Regel stehen diese Wörter.

# ---- Aufzeichnungen

record-title = Eine Aufzeichnung nachspielen
record-about = Öffne die Aufzeichnung einer beendeten Partie: eine Datei, die diese Seite oder die Kommandozeile gespeichert hat.
record-open = Datei öffnen …
record-unreadable = Das ist keine Aufzeichnung einer Partie.
