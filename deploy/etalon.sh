#!/bin/bash
# A command of Etalon with the settings of its service: sudo -u etalon etalon backup /var/backups/etalon/2027-01-15.tar.gz
# Give files by their whole path.
set -a
. /etc/etalon.env
cd /opt/etalon && exec .venv/bin/python app.py "$@"
