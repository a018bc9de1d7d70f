// The tests wait for services more than they compute.
[assembly: CollectionBehavior(MaxParallelThreads = 8)]
