namespace RedisLatency.Workloads.FrontEnds;

/// <summary>An option of another tool, as its table shows it.</summary>
/// <param name="Names">All its names, the one that documents use first.</param>
/// <param name="Placeholder">What its value is called; null where it has none.</param>
/// <param name="IsRefused">Whether it cannot be honoured, and so is an error.</param>
/// <param name="Remark">What it means here, or why it is refused.</param>
internal record ForeignOption(IReadOnlyList<string> Names, string? Placeholder, bool IsRefused, string Remark)
{
    public bool HasValue => Placeholder is not null;
}

/// <summary>What an option does: takes the value, and says what is wrong with it, or null.</summary>
internal sealed record ForeignOption<TOptions>(
    IReadOnlyList<string> Names, string? Placeholder, Func<TOptions, string, string?>? Take, string Remark)
    : ForeignOption(Names, Placeholder, Take is null, Remark);
