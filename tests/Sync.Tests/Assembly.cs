// The tests wait for services more than they compute.
[assembly: Xunit.v3.Parallelization(MaxThreads = 8)]
