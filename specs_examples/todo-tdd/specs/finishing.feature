@US-3
Feature: Finishing what is to be done

  Background:
    Given the list has the to-do "Water the plants"

  Scenario: Tick something off
    When I say that "Water the plants" is done
    Then the list of what is left is empty

  Scenario: Open something again
    Given "Water the plants" is done
    When I say that "Water the plants" is not done
    Then the list of what is left has "Water the plants"

  Scenario: Remove something
    When I remove "Water the plants"
    Then asking for it is answered with 404
