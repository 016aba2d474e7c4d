#!/usr/bin/env python3
"""Makes reference.json: what scikit-learn and SciPy say of seeded inputs, for tests/statistics. The tests
read the file and never run Python.

Made with scikit-learn 1.2.1, SciPy 1.10.1, NumPy 1.24.2 (Debian: python3-sklearn):
    /usr/bin/python3 tests/statistics/make_fixtures.py
"""
import json
import pathlib

import numpy as np
import scipy.stats
import sklearn
from sklearn.covariance import EmpiricalCovariance, LedoitWolf, ShrunkCovariance
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize
from sklearn.svm import OneClassSVM

rng = np.random.default_rng(20240901)


def plain(value):
    return np.asarray(value).tolist()


def rankings():
    cases = []
    for positives, negatives, decimals in [(1, 1, 3), (3, 7, 1), (40, 25, 1), (30, 120, 2), (60, 60, 6)]:
        p = np.round(rng.normal(0.7, 1, positives), decimals)
        n = np.round(rng.normal(0, 1, negatives), decimals)
        y = np.r_[np.ones(positives), np.zeros(negatives)]
        s = np.r_[p, n]
        fpr, tpr, thresholds = roc_curve(y, s, drop_intermediate=False)
        cases.append(dict(positives=plain(p), negatives=plain(n), roc_auc=roc_auc_score(y, s),
                          fpr=plain(fpr), tpr=plain(tpr), thresholds=plain(thresholds[1:])))
    return cases


def two_samples():
    cases = []
    for n, m, shift, decimals in [(5, 8, 1.0, 9), (20, 30, 0.5, 9), (200, 150, 0.1, 9), (40, 40, 0.3, 1)]:
        a, b = np.round(rng.normal(0, 1, n), decimals), np.round(rng.normal(shift, 1, m), decimals)
        exact = scipy.stats.ks_2samp(a, b, method="exact")
        cases.append(dict(a=plain(a), b=plain(b), statistic=exact.statistic, exact=exact.pvalue))
    return cases


def one_samples():
    cases = []
    for n, high in [(5, 1.0), (10, 1.0), (10, 0.8), (50, 0.9), (200, 0.95), (1000, 1.0)]:
        x = np.round(rng.uniform(0, high, n), 9)
        exact = scipy.stats.kstest(x, "uniform", method="exact")
        cases.append(dict(sample=plain(x), statistic=exact.statistic, exact=exact.pvalue))
    return cases


def kolmogorov():
    return [dict(at=float(x), survival=float(scipy.stats.kstwobign.sf(x)))
            for x in [0.2, 0.5, 0.8, 0.999, 1.001, 1.36, 2.0, 4.0]]


def mcnemar():
    cases = [(0, 0), (0, 1), (3, 9), (9, 3), (40, 41), (300, 360)]
    return [dict(first=a, second=b, p=scipy.stats.binomtest(a, a + b).pvalue if a + b else 1.0)
            for a, b in cases]


def densities():
    cases = []
    for n, d, k in [(60, 2, 5), (300, 5, 50), (120, 16, 10)]:
        mixing = rng.normal(0, 1, (d, d))
        x = np.round(rng.normal(0, 1, (n, d)) @ mixing + rng.normal(0, 2, d), 4)
        queries = np.round(np.r_[x[:4], rng.normal(0, 1, (12, d)) @ mixing, rng.normal(0, 6, (8, d))], 4)
        svm = OneClassSVM().fit(x)
        empirical, ledoit = EmpiricalCovariance().fit(x), LedoitWolf().fit(x)
        shrunk = ShrunkCovariance(shrinkage=0.3).fit(x)
        near = NearestNeighbors(n_neighbors=k).fit(normalize(x))
        raw = NearestNeighbors(n_neighbors=k).fit(x)
        forests = [IsolationForest(n_estimators=100, random_state=seed).fit(x) for seed in range(5)]
        forest_scores = np.array([f.score_samples(queries) for f in forests])
        cases.append(dict(
            dimension=d, points=plain(x.ravel()), queries=plain(queries.ravel()), k=k,
            unit_distance=plain(near.kneighbors(normalize(queries))[0][:, -1]),
            distance=plain(raw.kneighbors(queries)[0][:, -1]),
            svm_gamma=float(svm._gamma), svm_rho=float(svm.offset_[0]),
            svm_score=plain(svm.score_samples(queries)),
            mahalanobis=plain(empirical.mahalanobis(queries)),
            mahalanobis_shrunk=plain(shrunk.mahalanobis(queries)),
            ledoit_wolf=float(ledoit.shrinkage_), mahalanobis_ledoit_wolf=plain(ledoit.mahalanobis(queries)),
            forest_mean=plain(forest_scores.mean(axis=0)),
            forest_deviation=plain(forest_scores.std(axis=0, ddof=1))))
    return cases


def main():
    out = pathlib.Path(__file__).with_name("reference.json")
    out.write_text(json.dumps(dict(made_with=dict(sklearn=sklearn.__version__, scipy=scipy.__version__,
                                                  numpy=np.__version__),
                                   rankings=rankings(), two_samples=two_samples(), one_samples=one_samples(),
                                   kolmogorov=kolmogorov(),
                                   mcnemar=mcnemar(), densities=densities()), separators=(",", ":")) + "\n")


main()
