"""A car with a start sequence: doors closed and locked, brake pressed, engine started, gear."""

from typing import Any

DOORS = ("driver", "passenger", "rear_left", "rear_right")


class Car:
    """Control a car."""

    def __init__(self) -> None:
        self.fuel: float = 8.5
        self.tank: float = 50.0
        self.engine: str = "stopped"
        self.doors: dict[str, str] = {
            "driver": "unlocked",
            "passenger": "locked",
            "rear_left": "unlocked",
            "rear_right": "locked",
        }
        self.brake_pedal: float = 0.0
        self.parking_brake: bool = True
        self.gear: str = "P"
        self.climate: dict[str, Any] = {"temperature": 21.0, "fan": 30, "mode": "auto"}
        self.cruise: dict[str, Any] = {"active": False, "speed": 0}
        self.headlights: str = "off"
        self.destination: str = ""
        self.tire_pressure: dict[str, float] = {
            "front_left": 32.0,
            "front_right": 32.5,
            "rear_left": 30.0,
            "rear_right": 30.5,
        }
        self.speed: float = 0.0

    def lock_doors(self, unlock: bool, doors: list[str]) -> dict[str, str | int]:
        """
        Lock or unlock doors.

        Args:
            unlock (bool): True to unlock the doors, False to lock them.
            doors (List[str]): The doors. [Enum]: ["driver", "passenger", "rear_left", "rear_right"]

        Returns:
            lock_status (str): "locked" or "unlocked".
            remaining_unlocked (int): How many doors are still unlocked.
        """
        if any(door not in DOORS for door in doors):
            return {"error": f"Unknown door. Doors are {', '.join(DOORS)}."}
        for door in doors:
            self.doors[door] = "unlocked" if unlock else "locked"
        left = sum(state == "unlocked" for state in self.doors.values())
        return {"lock_status": "unlocked" if unlock else "locked", "remaining_unlocked": left}

    def press_brake_pedal(self, position: float) -> dict[str, str | float]:
        """
        Press the brake pedal, which stays pressed until it is released.

        Args:
            position (float): How far, between 0 (not at all) and 1 (all the way down).

        Returns:
            brake_pedal (str): "pressed" or "released".
            position (float): How far it is pressed.
        """
        if not 0 <= position <= 1:
            return {"error": "The position must be between 0 and 1."}
        self.brake_pedal = position
        return {"brake_pedal": "pressed" if position else "released", "position": position}

    def release_brake_pedal(self) -> dict[str, str | float]:
        """
        Release the brake pedal.

        Returns:
            brake_pedal (str): "released".
        """
        self.brake_pedal = 0.0
        return {"brake_pedal": "released"}

    def start_engine(self, mode: str) -> dict[str, str | float]:
        """
        Start or stop the engine.

        Args:
            mode (str): What to do. [Enum]: ["START", "STOP"]

        Returns:
            engine (str): "running" or "stopped".
            fuel (float): Litres in the tank.
        """
        if mode == "STOP":
            self.engine = "stopped"
            return {"engine": self.engine, "fuel": self.fuel}
        if mode != "START":
            return {"error": "mode must be START or STOP"}
        unlocked = [door for door, state in self.doors.items() if state == "unlocked"]
        if unlocked:
            return {"error": "All doors must be locked before starting the engine.", "unlocked": str(unlocked)}
        if self.brake_pedal < 1:
            return {"error": "The brake pedal must be fully pressed when starting the engine."}
        if self.fuel < 1:
            return {"error": "There is not enough fuel."}
        self.engine = "running"
        return {"engine": self.engine, "fuel": self.fuel}

    def shift_gear(self, gear: str) -> dict[str, str]:
        """
        Shift the gear.

        Args:
            gear (str): The gear. [Enum]: ["P", "R", "N", "D"]

        Returns:
            gear (str): The gear afterwards.
        """
        if self.engine != "running":
            return {"error": "The engine is not running."}
        if self.parking_brake and gear != "P":
            return {"error": "Release the parking brake first."}
        self.gear = gear
        return {"gear": gear}

    def set_parking_brake(self, mode: str) -> dict[str, str]:
        """
        Engage or release the parking brake.

        Args:
            mode (str): What to do. [Enum]: ["engage", "release"]

        Returns:
            parking_brake (str): "engaged" or "released".
        """
        if mode not in ("engage", "release"):
            return {"error": "mode must be engage or release"}
        self.parking_brake = mode == "engage"
        return {"parking_brake": "engaged" if self.parking_brake else "released"}

    def set_cruise_control(self, speed: int) -> dict[str, str | int]:
        """
        Switch the cruise control on.

        Args:
            speed (int): Speed in km/h, between 30 and 130, in steps of 5.

        Returns:
            cruise_control (str): "active".
            speed (int): The speed that is held.
        """
        if self.engine != "running":
            return {"error": "The engine is not running."}
        if self.gear != "D":
            return {"error": "Cruise control works in gear D only."}
        if not 30 <= speed <= 130 or speed % 5:
            return {"error": "The speed must be between 30 and 130, in steps of 5."}
        self.cruise = {"active": True, "speed": speed}
        return {"cruise_control": "active", "speed": speed}

    def get_cruise_control(self) -> dict[str, Any]:
        """
        Show the cruise control.

        Returns:
            active (bool): Whether it is on.
            speed (int): The speed that is held.
        """
        return self.cruise

    def fill_fuel_tank(self, litres: float) -> dict[str, float]:
        """
        Fill the tank.

        Args:
            litres (float): How much. The tank takes 50 litres.

        Returns:
            fuel (float): Litres in the tank afterwards.
        """
        if litres <= 0 or self.fuel + litres > self.tank:
            return {"error": "The tank cannot take that much."}
        self.fuel += litres
        return {"fuel": self.fuel}

    def adjust_climate(self, temperature: float, fan: int = 50, mode: str = "auto") -> dict[str, str | float | int]:
        """
        Set the air conditioning.

        Args:
            temperature (float): In degrees Celsius, from 16 to 28.
            fan (int): Speed of the fan in percent, from 0 to 100.
            mode (str): The mode. [Enum]: ["auto", "cool", "heat", "defrost"]

        Returns:
            temperature (float): The temperature that is set.
            fan (int): Speed of the fan.
            mode (str): The mode.
        """
        if not 16 <= temperature <= 28:
            return {"error": "The temperature must be from 16 to 28."}
        if not 0 <= fan <= 100:
            return {"error": "The fan must be from 0 to 100."}
        self.climate = {"temperature": temperature, "fan": fan, "mode": mode}
        return self.climate

    def set_headlights(self, mode: str) -> dict[str, str]:
        """
        Switch the headlights.

        Args:
            mode (str): The mode. [Enum]: ["on", "off", "auto"]

        Returns:
            headlights (str): The mode afterwards.
        """
        if mode not in ("on", "off", "auto"):
            return {"error": "Invalid mode."}
        self.headlights = mode
        return {"headlights": mode}

    def check_tire_pressure(self) -> dict[str, Any]:
        """
        Check the pressure of the tires.

        Returns:
            front_left (float): In psi.
            front_right (float): In psi.
            rear_left (float): In psi.
            rear_right (float): In psi.
            healthy (bool): Whether all of them are between 30 and 35.
        """
        return {**self.tire_pressure, "healthy": all(30 <= value <= 35 for value in self.tire_pressure.values())}

    def set_navigation(self, destination: str) -> dict[str, str]:
        """
        Navigate to a place.

        Args:
            destination (str): Street, city, state.

        Returns:
            status (str): What was done.
        """
        self.destination = destination
        return {"status": f"Navigating to {destination}"}

    def display_status(self, option: str) -> dict[str, Any]:
        """
        Show the status of one part of the car.

        Args:
            option (str): The part. [Enum]: ["fuel", "doors", "climate", "brakes", "engine"]

        Returns:
            status (Dict): What there is to say of it.
        """
        parts: dict[str, Any] = {
            "fuel": {"litres": self.fuel}, "doors": dict(self.doors), "climate": dict(self.climate),
            "brakes": {"pedal": self.brake_pedal, "parking_brake": self.parking_brake}, "engine": {"engine": self.engine, "gear": self.gear},
        }  # fmt: skip
        if option not in parts:
            return {"error": "Invalid option"}
        return {"status": parts[option]}
