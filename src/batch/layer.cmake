heddle_layer(batch REGISTERS DEPENDS experiment
  SOURCES batch.cpp command.cpp division.cpp engine.cpp job_folder.cpp local.cpp profile.cpp script.cpp slurm.cpp task_script.cpp
  LIBRARIES nlohmann_json::nlohmann_json Threads::Threads)
