# What cannot be drawn.
mkdir run empty
printf 'actions,games,seconds,training_mean,eval_mean\n1,1,1,5,\n' >run/log.csv
printf 'actions,games,seconds,training_mean,eval_mean\n1,1,1,5\n' >torn.csv
"$afterstate" plot run --column eval_maen
"$afterstate" plot run --column eval_mean
"$afterstate" plot torn.csv
"$afterstate" plot empty
"$afterstate" plot none
"$afterstate" plot run run run run -c training_mean -c actions
"$afterstate" plot run --out no/such/folder/plot.svg
"$afterstate" plot
