using RedisLatency.Lab.Mutations.Mutants;

// Mutants mostly wait: more of them at once than there are processors.
[assembly: CollectionBehavior(MaxParallelThreads = 4)]
[assembly: AssemblyFixture(typeof(MutantWorkshop))]
