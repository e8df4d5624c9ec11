Feature: Booking a room

  Scenario: A room is free
    Given a room that nobody has booked
    When I book it from 10:00 to 11:00
    Then the booking is answered with 201

  Scenario: A room is taken
    Given a room that is booked from 10:00 to 11:00
    When I book it from 10:30 to 11:30
    Then the booking is answered with 409
