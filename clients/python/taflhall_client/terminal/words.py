"""The few words of the terminal client itself, in English and German."""

from __future__ import annotations

from typing import Final

_WORDS: Final = {
    "seat": ("Seat {seat}", "Platz {seat}"),
    "decides": ("{name} decides, rule {rule}: {text}", "{name} entscheidet, Regel {rule}: {text}"),
    "illegal": ("not allowed, rule {rule}: {reason}", "nicht erlaubt, Regel {rule}: {reason}"),
    "says": ("the rule says: {text}", "die Regel lautet: {text}"),
    "no_number": ("there is no option {number}", "es gibt keine Möglichkeit {number}"),
    "legal": ("that is allowed", "das ist erlaubt"),
    "no_rule": ("there is no rule {rule}", "es gibt keine Regel {rule}"),
    "stale": ("that was decided in the meantime", "das wurde inzwischen entschieden"),
    "next_player": (
        "{name}, press Enter when only you look at the screen",
        "{name}, Eingabetaste drücken, wenn nur du auf den Schirm siehst",
    ),
    "open": ("at the table: {names}", "am Tisch: {names}"),
    "you": ("you", "du"),
    "late": ("you see this match {delay} late", "du siehst diese Partie {delay} später"),
    "left": ("you have left the table", "du hast den Tisch verlassen"),
    "come_back": (
        "to come back: taflhall play {address} {match} --secret {secret}",
        "zum Zurückkommen: taflhall play {address} {match} --secret {secret}",
    ),
    "nothing_to_undo": (
        "nothing can be taken back: something has come to light since",
        "es lässt sich nichts zurücknehmen: seither ist etwas ans Licht gekommen",
    ),
    "agree": ("do you agree? y/n ", "bist du einverstanden? j/n "),
    "proposal_over": ("the proposal is over", "das ist nicht mehr vorgeschlagen"),
    "waiting": (
        "the others are asked; continue as soon as they have answered",
        "die anderen werden gefragt; weiter geht es, sobald sie geantwortet haben",
    ),
    "bot_plays": (
        "{name} plays for you; Ctrl-C takes the seat back",
        "{name} spielt für dich; Strg-C nimmt den Platz zurück",
    ),
    "taken_back": ("you play again yourself", "du spielst wieder selbst"),
    "help_undo": (
        "undo           take your latest answer back, if nothing has come to light since",
        "undo           deine letzte Antwort zurücknehmen, wenn seither nichts ans Licht kam",
    ),
    "help_abandon": (
        "abandon        end the match without a winner, if the others agree",
        "abandon        die Partie ohne Sieger abbrechen, wenn die anderen zustimmen",
    ),
    "help_bot": (
        "bot [NAME]     let a bot play for you until you press Ctrl-C",
        "bot [NAME]     einen Bot für dich spielen lassen, bis du Strg-C drückst",
    ),
    "help_save": (
        "save [FILE]    save the match; `taflhall play --resume FILE` continues it",
        "save [DATEI]   die Partie sichern; `taflhall play --resume DATEI` spielt weiter",
    ),
    "saved": ("written to {file}", "geschrieben nach {file}"),
    "resume": (
        "to continue later: taflhall play --resume {file}",
        "um später weiterzuspielen: taflhall play --resume {file}",
    ),
    "help": (
        """NUMBER         take that option
COMMAND        give a command in notation; a refusal is explained
why COMMAND    may I, and if not, why?
rule NUMBER    what does the rule say?
t              draw the table again
o              list the options again
resign         resign your seat
q              leave the table
?              this help""",
        """NUMMER         diese Möglichkeit wählen
BEFEHL         einen Befehl in Notation geben; eine Ablehnung wird erklärt
why BEFEHL     darf ich das, und wenn nicht, warum?
rule NUMMER    was sagt die Regel?
t              den Tisch noch einmal zeichnen
o              die Möglichkeiten noch einmal auflisten
resign         die Partie aufgeben
q              den Tisch verlassen
?              diese Hilfe""",
    ),
}


def words(key: str, language: str, **values: object) -> str:
    """Return a text in *language* (``en`` or ``de``)."""
    return _WORDS[key][language == "de"].format(**values)
