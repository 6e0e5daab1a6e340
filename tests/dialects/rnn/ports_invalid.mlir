// RUN: rung-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{attribute 'rnn.port' of argument 0 is neither 'rnn.name' nor 'rnn.state'}}
func.func private @unknown(tensor<?x8xf32> {rnn.port = "h"})

// -----

// expected-error@+1 {{attribute 'rnn.name' of result 0 is ""; a name is a string that is not empty}}
func.func private @empty() -> (tensor<?x8xf32> {rnn.name = ""})

// -----

// expected-error@+1 {{attribute 'rnn.name' of argument 1 is 3 : i32; a name is a string that is not empty}}
func.func private @number(tensor<?x8xf32>, tensor<?x8xf32> {rnn.name = 3 : i32})

// -----

// expected-error@+1 {{state "h" is on 1 arguments and 0 results; a state has one of each}}
func.func private @one_end(tensor<?x8xf32> {rnn.state = "h"})

// -----

// expected-error@+1 {{state "h" is on 1 arguments and 2 results; a state has one of each}}
func.func private @two_results(tensor<?x8xf32> {rnn.state = "h"})
    -> (tensor<?x8xf32> {rnn.state = "h"}, tensor<?x8xf32> {rnn.state = "h"})

// -----

// expected-error@+1 {{state "h" is given as 'tensor<?x8xf32>' and returned as 'tensor<?x4xf32>'}}
func.func private @types(tensor<?x8xf32> {rnn.state = "h"})
    -> (tensor<?x4xf32> {rnn.state = "h"})
