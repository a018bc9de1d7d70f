using RedisLatency.Lab.Mutations.Mutants;

// Mutants mostly wait: more of them at once than there are processors. As many as there are lists of them, or the
// longest list would begin when the shortest has ended.
[assembly: Xunit.v3.Parallelization(MaxThreads = 6)]
[assembly: AssemblyFixture(typeof(MutantWorkshop))]
