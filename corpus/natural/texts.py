"""What the voices say: lines of calls to a booking, delivery and billing desk, by kind.

A kind says how the generator uses a line, by length and role: a `backchannel` and a `digit` are one short
sound, a `reply` is a few words, a `correction` is what an interruption begins with, a `question` hands the
turn over, a `long` line holds the floor for four seconds and more.
"""

from __future__ import annotations

BACKCHANNEL = ("Mhm.", "Right.", "Okay.", "Uh-huh.", "Yeah.", "Sure.", "I see.", "Yes.", "Got it.", "Good.")

DIGIT = ("Zero.", "One.", "Two.", "Three.", "Four.", "Five.", "Six.", "Seven.", "Eight.", "Nine.")

REPLY = (
    "Yes, that's right.",
    "No, not today.",
    "The second one, please.",
    "It was last Tuesday.",
    "My name is Morgan.",
    "I'd like to book a table.",
    "Four people, by the window.",
    "I think it was blue.",
    "Somewhere around noon.",
    "That works for me.",
    "I called about this before.",
    "I don't have the number here.",
)

CORRECTION = (
    "No, wait, that's wrong.",
    "Hold on, I said Thursday.",
    "Stop, please cancel it.",
    "Sorry, not that address.",
    "Actually, can I change that?",
    "Excuse me, I have a question.",
    "That isn't what I asked for.",
    "Wait a second, please.",
)

QUESTION = (
    "How can I help you today?",
    "Could you spell your last name for me?",
    "What day would suit you best?",
    "Is this the number we can reach you at?",
    "When did you place the order?",
    "Would you like me to send a confirmation?",
    "Can you tell me the last four digits of your card?",
    "Is there anything else that I can do for you?",
)

LONG = (
    "Your appointment is on the fourteenth of March at half past ten, at the clinic on Maple Avenue, "
    "and you should bring your insurance card.",
    "I have three tables left this evening, one near the door at six, one on the terrace at seven, "
    "and one upstairs at a quarter to nine.",
    "To confirm the order, that is two large pizzas with mushrooms, one green salad without onions, "
    "and a bottle of sparkling water, delivered to the back entrance.",
    "The parcel left our warehouse on Monday morning, it reached the sorting centre last night, "
    "and the driver will bring it to you between nine and eleven.",
    "Your balance after the last payment is one hundred and twelve dollars and forty cents, "
    "and the next instalment is due at the end of the month.",
    "We can move the booking to another weekend at no charge, but the room with the sea view "
    "is only free until the twentieth.",
    "Please listen carefully, because our menu has changed, and we want to make sure that "
    "you reach the right person on your first try.",
    "The technician will call you half an hour before the visit, and someone over eighteen "
    "should be at home to open the door and sign the form.",
    "I was told that the refund takes five working days, but it has been almost two weeks now "
    "and nothing has arrived on my account.",
    "I ordered the grey one in a medium size, and what came was the black one in large, "
    "so I would like to know how to send it back.",
    "We are travelling with two small children and a dog, so we need a ground floor room "
    "that is not too far from the car park.",
    "My internet has been going off every evening since the storm, usually around eight, "
    "and it only comes back after I restart the box twice.",
)

LINES: dict[str, tuple[str, ...]] = {
    "backchannel": BACKCHANNEL,
    "digit": DIGIT,
    "reply": REPLY,
    "correction": CORRECTION,
    "question": QUESTION,
    "long": LONG,
}
