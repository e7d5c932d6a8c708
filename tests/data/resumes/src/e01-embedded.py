import sys
from docxkit import *
d = document("Liberation Sans", 10)
line(d, "Marisela Quandt-Probe", bold=True, size=18, centre=True)
line(d, "Embedded Software Engineer (C++)", centre=True)
line(d, "Tampere, Finland | +358 50 555 0134 | marisela@quandt-probe.example | github.com/mquandt-example", centre=True)
h = lambda t: line(d, t, bold=True, size=12, before=9)
h("Summary")
line(d, "Embedded engineer with nine years on small microcontrollers and bigger Linux boards. Modern C++ where the toolchain allows it, plain C where it does not. I like boards that boot in under a second and bugs that reproduce.")
h("Work Experience")
left_right(d, "Fabrikam Robotics Oy, Tampere", "Mar 2022 – Present")
line(d, "Senior Embedded Software Engineer", italic=True)
bullets(d,
 "Own the firmware of the motion controller in a family of warehouse robots: C++17 on STM32H7, FreeRTOS, about 180k lines.",
 "Moved the build from hand-written Makefiles to CMake and Conan; a clean build went from 14 to 3 minutes with ccache.",
 "Introduced unit tests with GoogleTest and a hardware-in-the-loop rack driven by pytest; every merge request runs on real boards in Gitlab CI.",
 "Integrated the CANopen stack, and wrote the bootloader for over-the-air updates (signed images, two slots, roll-back).",
 "Tracked down a priority inversion with SEGGER SystemView and an oscilloscope; it is a lunch talk now.",
 "Review code daily, mentor two juniors, and keep our list of MISRA C++ deviations short (checked by clang-tidy and Cppcheck).")
left_right(d, "Contoso Instruments Ltd, Tampere", "Aug 2018 – Feb 2022")
line(d, "Embedded Software Developer", italic=True)
bullets(d,
 "Low-power firmware in C for gas detectors on nRF52 and MSP430; average current from 90 to 11 µA, measured with an Otii.",
 "BLE provisioning over GATT, with a pairing flow that survived an external audit.",
 "Board bring-up together with the hardware team: read schematics, did rework with the soldering iron, probed I2C and SPI with a Saleae logic analyzer.",
 "Ported the data logger to embedded Linux (Yocto, i.MX6); wrote two kernel drivers and the device tree.",
 "Prepared the software part of the SIL 2 assessment (IEC 61508), including the FMEA and requirements traceability in Polarion.")
left_right(d, "Wingtip Avionics Test Systems, Turku", "Jun 2017 – Jul 2018")
line(d, "Junior Software Engineer", italic=True)
bullets(d,
 "Test benches in Python and LabView for ARINC 429 and RS-485 equipment.",
 "Maintained a Qt desktop tool for calibration; added a SQLite log of every run.")
h("Personal Projects")
for n, t in (("tinysched", " – a 2 kB cooperative scheduler for AVR in C++20, no heap; used in a course at a vocational school."),
             ("Weather Mast", " – ESP32 and LoRaWAN sensor node on the roof, MQTT to a Raspberry Pi, graphs in Grafana.")):
    p = d.add_paragraph(); p.add_run(n).bold = True; p.add_run(t)
h("Technical Skills")
labelled(d, "Languages", "C++ (11 to 20), C, Python, some Rust, ARM assembly")
labelled(d, "Targets", "STM32, nRF52, MSP430, ESP32, ARM Cortex-M, i.MX6")
labelled(d, "RTOS and OS", "FreeRTOS, Zephyr (evaluated), Yocto Linux")
labelled(d, "Buses", "CAN, CANopen, SPI, I2C, UART, Modbus")
labelled(d, "Tools", "gdb, OpenOCD, J-Link, CMake, Conan, Git, Jira, Doxygen, Docker")
labelled(d, "Methods", "code review, TDD, Scrum, functional safety")
h("Education")
left_right(d, "M.Sc. (Tech.) Embedded Systems, University of Northmere", "2015 – 2017", bold=False, before=0)
left_right(d, "B.Eng. Electronics, Kuvitteellinen University of Applied Sciences, Turku", "2011 – 2015", bold=False, before=0)
h("Languages")
line(d, "Spanish (native), English (fluent), Finnish (B1)")
d.save(sys.argv[1])
