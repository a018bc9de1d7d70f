using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using RedisLatency.Micro;

// In this process: what is measured is the very build that ships, with the runtime settings of the services. The
// minimum is the figure to compare on a shared machine, where a neighbour can only add.
var config = DefaultConfig.Instance
    .AddJob(Job.Default.WithToolchain(InProcessEmitToolchain.Instance))
    .AddColumn(StatisticColumn.Min, StatisticColumn.Median, CategoriesColumn.Default)
    .WithOptions(ConfigOptions.JoinSummary);
BenchmarkSwitcher.FromAssembly(typeof(Category).Assembly).Run(args, config);
